/** A client that takes little processor time itself, because it shares the machine with the server that it measures. */
import { connect, type Socket } from 'node:net';

export interface Asked {
  method?: string;
  path: string;
  body?: object;
}
/** Where a server listens, and whose session is used. */
export interface Place {
  url: string;
  token: string;
}

const idle = new Map<string, Connection[]>();

/** Asks and reads to the end; the number of bytes of the answer's body. Anything but a 200 or 201 is an error. */
export async function ask({ url, token }: Place, { method = 'GET', path, body }: Asked): Promise<number> {
  const kept = idle.get(url) ?? [];
  idle.set(url, kept);
  let connection = kept.pop();
  while (connection?.isClosed) connection = kept.pop();
  connection ??= await Connection.open(url);
  const text = body === undefined ? '' : JSON.stringify(body);
  const type = text && `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`;
  const name = `${method} ${path} HTTP/1.1\r\nHost: ${connection.host}\r\n`;
  const head = `${name}Authorization: Bearer ${token}\r\n${type}\r\n`;
  const { status, bytes } = await connection.send(head + text);
  kept.push(connection);
  if (status !== 200 && status !== 201) throw new Error(`${method} ${path}: ${status}`);
  return bytes;
}

interface Answer {
  status: number;
  bytes: number;
}

/** One connection that is kept, for one request at a time. */
class Connection {
  readonly host: string;
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined;

  private constructor(host: string, socket: Socket) {
    this.host = host;
    this.#socket = socket;
    socket.on('data', (part: Buffer) => this.#receive(part));
    socket.on('error', (error) => this.#waiting?.reject(error));
    socket.on('close', () => this.#waiting?.reject(new Error('the connection was closed')));
  }

  get isClosed(): boolean {
    return this.#socket.destroyed;
  }

  static open(url: string): Promise<Connection> {
    const { hostname, port, host } = new URL(url);
    return new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      socket.once('error', reject).once('connect', () => resolve(new Connection(host, socket)));
      socket.unref(); // an open connection does not keep the bench running
    });
  }

  send(request: string): Promise<Answer> {
    this.#socket.ref();
    return new Promise<Answer>((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(request);
    }).finally(() => {
      this.#waiting = undefined;
      this.#socket.unref();
    });
  }

  #receive(part: Buffer): void {
    this.#received = this.#received.length ? Buffer.concat([this.#received, part]) : part;
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.#received.toString('latin1', 0, end);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined) {
      this.#socket.destroy(new Error('the answer does not say its length'));
      return;
    }
    if (this.#received.length < end + 4 + Number(length)) return;
    this.#received = Buffer.alloc(0);
    this.#waiting?.resolve({ status: Number(head.slice(9, 12)), bytes: Number(length) });
  }
}
