/** A web server and a mail server that keep what they get, for the tests of deliveries. */
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createTcp, type Socket } from 'node:net';
import { openPort, shut } from '../../openPort';

export interface Received {
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** Answers each request with the next of `answers`, or with 200. */
export async function startWebServer() {
  const received: Received[] = [],
    answers: (number | { status: number; location: string })[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      });
      const answer = answers.shift() ?? 200;
      if (typeof answer === 'number') response.writeHead(answer).end('what it says is its own business');
      else response.writeHead(answer.status, { Location: answer.location }).end();
    });
  });
  const port = await openPort(server);
  return {
    received,
    answers,
    url: `http://127.0.0.1:${port}`,
    close: () => shut(server),
  };
}

/** Answers no request before `release`, and each one then. `most` is how many it had open at once. */
export async function startHangingServer() {
  const open = new Set<ServerResponse>(),
    state = { most: 0, count: 0 };
  let isReleased = false;
  const server = createServer((request, response) => {
    request.resume();
    state.count++;
    if (isReleased) return void response.end();
    open.add(response);
    response.on('close', () => open.delete(response));
    state.most = Math.max(state.most, open.size);
  });
  const port = await openPort(server);
  return {
    state,
    url: `http://127.0.0.1:${port}`,
    release: () => {
      isReleased = true;
      for (const response of open) response.end();
    },
    close: () => shut(server),
  };
}

/** Speaks as much SMTP as it takes to get an e-mail. `refuse` makes it refuse each one. */
export async function startMailServer() {
  const mails: string[] = [],
    recipients: string[] = [],
    state = { refuse: false },
    sockets = new Set<Socket>();
  const server = createTcp((socket) => {
    let text = '',
      isData = false;
    sockets.add(socket);
    const say = (line: string) => socket.write(`${line}\r\n`);
    say('220 mail.test');
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      text += chunk.toString('utf8');
      for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
        if (isData) {
          const last = text.indexOf('\r\n.\r\n');
          if (last < 0) return;
          mails.push(text.slice(0, last));
          text = text.slice(last + 5);
          isData = false;
          say('250 kept');
          continue;
        }
        const line = text.slice(0, end);
        text = text.slice(end + 2);
        if (/^RCPT TO:/i.test(line)) recipients.push(/<([^>]*)>/.exec(line)?.[1] ?? '');
        if (/^EHLO/i.test(line)) say('250 mail.test');
        else if (/^MAIL/i.test(line) && state.refuse) say('451 not now');
        else if (/^DATA/i.test(line)) {
          isData = true;
          say('354 go on');
        } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n');
        else say('250 ok');
      }
    });
  });
  const port = await openPort(server);
  return {
    mails,
    recipients,
    state,
    url: `smtp://127.0.0.1:${port}`,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
