import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** What a client may send ahead of its answers. Browsers and proxies send nothing ahead. */
const MAX_AHEAD = 8;

/**
 * Answers the requests of a connection one after another, and cuts off a client that sends too many ahead. Node alone
 * would begin them all at once, and would not tell us of the later ones that their client has hung up.
 */
export function oneAtATime(answer: RequestListener, onTooMany: (socket: Socket) => void): RequestListener {
  const ahead = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return; // Node goes on to report what it has read already
    if (response.socket) return answer(request, response);
    // Node gives the socket to a response when the one before it has been sent.
    const count = (ahead.get(socket) ?? 0) + 1;
    if (count > MAX_AHEAD) {
      onTooMany(socket);
      return void socket.destroy();
    }
    ahead.set(socket, count);
    response.once('socket', () => {
      ahead.set(socket, (ahead.get(socket) ?? 1) - 1);
      if (!socket.destroyed) answer(request, response);
    });
  };
}
