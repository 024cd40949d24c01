/** The way to a database, which can end a connection at a given statement of a transaction. */
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Sql } from '../../src/server/db/open';
import { openPort } from '../openPort';

/**
 * `before`: the statement is sent and never arrives. `during`: it arrives, and the connection ends at once.
 * `unanswered`: it is done, and the answer comes with the end, or never. `answered`: the end follows the answer.
 */
export const moments = ['before', 'during', 'unanswered', 'answered'] as const;
/** By `pg_terminate_backend`, by `idle_in_transaction_session_timeout`, or by a reset of the socket. */
export const ways = ['terminate', 'idle', 'reset'] as const;
export interface Cut {
  /** Which statement of a transaction; 1 is BEGIN. */
  statement: number;
  moment: (typeof moments)[number];
  way: (typeof ways)[number];
}

/** A transaction whose connection has ended. */
export interface CutOff {
  /** Whether its COMMIT was sent, even if too late to arrive. What is sent to a reset socket is not seen. */
  isCommitSent: boolean;
}

const LONGEST_WAIT_MS = 30_000;

/** A shorter transaction of other work ends here. It is idle in none then, and nothing would end its connection. */
const isEnd = (words: string, { way, moment }: Cut): boolean =>
  way === 'idle' && moment !== 'before' && words === 'commit';

/** `to` is the socket of the database, `sql` another way to it. */
export async function openWire(to: string, sql: Sql) {
  let next: { cut: Cut; done: (cutOff: CutOff) => void } | undefined,
    longest = 0;
  const sockets = new Set<Socket>();

  function carry(near: Socket): void {
    const far = connect(to);
    const farClosed = new Promise((resolve) => far.once('close', resolve));
    let backend = 0,
      statement = 0,
      held: Buffer[] = [],
      isHolding = false,
      cutOff: CutOff | undefined,
      answered: (() => Promise<void>) | undefined;
    const flush = () => near.writable && near.write(Buffer.concat(held.splice(0)));

    const end = async ({ way, moment }: Cut) => {
      if (way === 'reset') {
        near.resetAndDestroy();
        far.destroy();
        return;
      }
      isHolding = moment === 'unanswered'; // the answer and the end arrive together
      if (way === 'terminate') await sql`select pg_terminate_backend(${backend}::int)`;
      await farClosed;
    };

    const fromNear = createSplitter(async (type, message, isWhole) => {
      if (!isWhole) return void far.write(message);
      const words = type === 'Q' ? message.toString('latin1', 5, message.length - 1) : '';
      if (/^begin\b/.test(words)) statement = 0;
      else if (!statement) return void far.write(message); // in no transaction
      statement++;
      longest = Math.max(longest, statement);
      if (next?.cut.statement === statement && !isEnd(words, next.cut)) {
        const { cut, done } = next;
        next = undefined;
        const hit = { isCommitSent: words === 'commit' };
        cutOff = hit;
        const finish = () => end(cut).then(() => done(hit));
        if (cut.moment === 'before') return void finish();
        if (cut.moment === 'during') {
          far.write(message);
          return void finish();
        }
        if (cut.moment === 'unanswered') isHolding = true;
        answered = finish;
      }
      if (cutOff && words === 'commit') cutOff.isCommitSent = true;
      if (/^(commit|rollback)$/.test(words)) statement = 0;
      far.write(message);
    });
    const fromFar = createSplitter((type, message, isWhole) => {
      if (type === 'K') backend = message.readInt32BE(5);
      held.push(message);
      if (!isWhole) return;
      if (!isHolding) flush();
      void answered?.();
      answered = undefined;
    });
    for (const socket of [near, far]) sockets.add(socket.on('error', () => {}));
    near.on('data', fromNear.ofClient).on('close', () => far.destroy());
    far.on('data', fromFar.ofServer).on('close', () => {
      flush();
      near.end();
      for (const socket of [near, far]) sockets.delete(socket);
      held = [];
    });
  }

  const server = createServer(carry);
  return {
    port: await openPort(server),
    /** Ends the connection of the next transaction that comes so far. */
    cutNext: (cut: Cut) =>
      Promise.race([
        new Promise<CutOff>((done) => {
          next = { cut, done };
        }),
        setTimeout(LONGEST_WAIT_MS, undefined, { ref: false }).then(() => {
          throw new Error(`no transaction came to ${JSON.stringify(cut)}`);
        }),
      ]),
    /** How many statements the longest transaction had since this was last asked. */
    longest() {
      const statements = longest;
      longest = 0;
      return statements;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
export type Wire = Awaited<ReturnType<typeof openWire>>;

/**
 * Splits what is sent into messages. Those of a client are passed on as whole requests, with the type of the first
 * message; those of a server singly, where the last of an answer is whole.
 */
function createSplitter(pass: (type: string, bytes: Buffer, isWhole: boolean) => unknown) {
  let bytes = Buffer.alloc(0),
    isBegun = false,
    request: Buffer[] = [];
  const messages = function* (part: Buffer, hasStartup: boolean): Generator<Buffer> {
    bytes = Buffer.concat([bytes, part]);
    for (;;) {
      const at = hasStartup && !isBegun ? 0 : 1; // the first message of a client has no type
      if (bytes.length < at + 4 || bytes.length < at + bytes.readInt32BE(at)) return;
      const length = at + bytes.readInt32BE(at);
      yield bytes.subarray(0, length);
      bytes = bytes.subarray(length);
    }
  };
  const typeOf = (message: Buffer) => String.fromCharCode(message[0] ?? 0);
  return {
    ofClient(part: Buffer) {
      for (const message of messages(part, true)) {
        if (!isBegun) {
          isBegun = true;
          pass('', message, false);
          continue;
        }
        request.push(message);
        const type = typeOf(message);
        if (!['Q', 'S', 'X'].includes(type)) continue;
        pass(typeOf(request[0]!), Buffer.concat(request), type !== 'X');
        request = [];
      }
    },
    ofServer(part: Buffer) {
      for (const message of messages(part, false)) pass(typeOf(message), message, typeOf(message) === 'Z');
    },
  };
}
