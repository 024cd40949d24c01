import { connect, createServer, type Server, type Socket } from 'node:net';
import { openPort } from '../openPort';

type State = 'open' | 'refused' | 'silent';

/** The network between server and database, which can be cut, or swallow everything. */
export async function openLine(to: string) {
  let state: State = 'open';
  const ends = new Set<Socket>();
  const server: Server = createServer((near) => {
    if (state === 'refused') return near.resetAndDestroy();
    const far = connect(to);
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(end);
      end
        .on('error', () => {})
        .on('close', () => {
          ends.delete(end);
          other.destroy();
        })
        .pipe(other, { end: false });
      end.on('end', () => other.end());
      if (state === 'silent') end.pause();
    }
  });
  return {
    port: await openPort(server),
    become(next: State) {
      state = next;
      for (const end of ends) {
        if (next === 'refused') end.destroy();
        else if (next === 'silent') end.pause();
        else end.resume();
      }
    },
    close() {
      for (const end of ends) end.destroy();
      server.close();
    },
  };
}
export type Line = Awaited<ReturnType<typeof openLine>>;
