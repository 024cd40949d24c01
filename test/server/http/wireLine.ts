/** Connections to the server as a client has them, byte by byte. */
import { connect, type Socket } from 'node:net';
import { test } from 'uvu';

/** Elsewhere a machine has only one address of its own, and no list of open files. */
export const onLinux = process.platform === 'linux' ? test : test.skip;

export interface Line {
  socket: Socket;
  isClosed: boolean;
  received: string;
}
const sockets = new Set<Socket>();
/** A connection from one of the machine's own addresses, with bytes to begin with. */
export function openLine(address: string, bytes: string, localAddress = '127.0.0.1'): Line {
  const socket = connect({ port: Number(new URL(address).port), host: '127.0.0.1', localAddress }),
    line: Line = { socket, isClosed: false, received: '' };
  socket
    .setEncoding('latin1')
    .on('data', (text: string) => {
      line.received += text;
    })
    .on('error', () => {})
    .on('close', () => {
      line.isClosed = true;
    });
  if (bytes) socket.write(bytes);
  sockets.add(socket);
  return line;
}
/** To be run after each test. */
export function hangUp(): void {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
}
