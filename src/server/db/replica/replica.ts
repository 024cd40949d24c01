/** A standby for reads that may be a moment old; its age is measured by positions in the log, not by clocks. */
import { unless } from '../attempt';
import { type Database, getErrorCode, isUnavailable, openStandby } from '../open';

/** A replica that is further behind is not used. */
export const MOST_LAG_MS = 10_000;
const LOOK_MS = 1_000,
  /** One that takes longer to say where it is counts as away. */
  ANSWER_MS = 2_000;
const MOST_MARKS = 600;

interface ReplicaOptions {
  poolSize: number;
  log: { info(about: object, words: string): void; warn(about: object, words: string): void };
  lookMs?: number;
  mostLagMs?: number;
}

/** At this time, in milliseconds, the primary was here in its log. */
interface Mark {
  position: bigint;
  at: number;
}

export function openReplica(
  primary: Database,
  url: string,
  { poolSize, log, lookMs = LOOK_MS, mostLagMs = MOST_LAG_MS }: ReplicaOptions,
) {
  const db = openStandby(url, { poolSize });
  const reads = { replica: 0, primary: 0 };
  /** The first is the newest that the replica has reached, if it has reached one; the others are ahead of it. */
  const marks: Mark[] = [];
  let asOf = -Infinity, // everything that was committed before is there
    isWell = false, // it has answered
    isClosed = false,
    timer: NodeJS.Timeout | undefined;
  const lagMs = () => performance.now() - asOf,
    isUsed = () => isWell && lagMs() <= mostLagMs;
  const opened = performance.now();
  let lost = new AbortController(),
    wasUsed: boolean | undefined;

  async function look(): Promise<void> {
    const at = performance.now();
    const [here, there] = await Promise.all([readPrimary(primary), readStandby(db)]);
    if (there.identity !== here.identity) throw new Error('it is not a standby of this database');
    marks.push({ position: here.position, at });
    while (marks[1] && marks[1].position <= there.position) marks.shift();
    if (marks[0] && marks[0].position <= there.position) asOf = marks[0].at;
    if (marks.length > MOST_MARKS) marks.shift();
  }

  /** Logs a change, and how it begins: a moment to catch up is no fault. */
  function tell(error?: unknown): void {
    const isBeginning = wasUsed === undefined && !error && performance.now() - opened < mostLagMs;
    if (isUsed() === wasUsed || (!isUsed() && isBeginning)) return;
    wasUsed = isUsed();
    const about = { replica_lag_ms: Math.round(lagMs()) };
    if (wasUsed) log.info(about, 'the replica answers reads that may be a moment old');
    else log.warn({ ...about, err: error }, 'the replica is not used: all reads go to the primary');
  }

  async function watch(): Promise<void> {
    try {
      await unless(AbortSignal.timeout(ANSWER_MS), look());
      isWell = true;
      tell();
    } catch (error) {
      isWell = false;
      lost.abort(new Lost('the replica is away')); // what still waits for it asks the primary
      lost = new AbortController();
      tell(error);
    }
    if (!isClosed) timer = setTimeout(() => (watching = watch()), lookMs).unref();
  }
  let watching = watch();

  return {
    poolSize,
    /** Reads there; undefined: ask the primary. `ageMs`: what was written longer ago than this was seen. */
    async attempt<T>(read: (db: Database) => Promise<T>): Promise<{ out: T; ageMs: number } | undefined> {
      if (!isUsed()) {
        reads.primary++;
        return undefined;
      }
      const ageMs = lagMs();
      try {
        const out = await unless(lost.signal, read(db));
        reads.replica++;
        return { out, ageMs };
      } catch (error) {
        if (!isOfReplica(error)) throw error;
        reads.primary++;
        return undefined;
      }
    },
    /** Whether it is used now, for how many milliseconds it is behind, and how many reads went where. */
    figures: () => ({ isUsed: isUsed(), lagMs: lagMs(), reads }),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await watching;
      clearTimeout(timer);
      await db.close();
    },
  };
}

export type Replica = ReturnType<typeof openReplica>;

/** Positions are written as two hexadecimal numbers. */
const toPosition = (text: string): bigint => {
  const [high = '0', low = '0'] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
};

const IDENTITY = `
  (select system_identifier::text from pg_control_system()) || ' '
    || (select oid::text from pg_database where datname = current_database()) as identity`;

async function readPrimary({ sql }: Database): Promise<{ position: bigint; identity: string }> {
  const { position, identity } = await sql<{ position: string; identity: string }[]>`
    select pg_current_wal_flush_lsn()::text as position, ${sql.unsafe(IDENTITY)}`.one();
  return { position: toPosition(position), identity };
}

async function readStandby({ sql }: Database): Promise<{ position: bigint; identity: string }> {
  const { position, identity, is_standby } = await sql<
    { position: string | null; identity: string; is_standby: boolean }[]
  >`
    select pg_last_wal_replay_lsn()::text as position, pg_is_in_recovery() as is_standby,
      ${sql.unsafe(IDENTITY)}`.one();
  if (!is_standby) throw new Error('it is not a standby any more');
  return { position: toPosition(position ?? '0/0'), identity };
}

class Lost extends Error {
  override name = 'Lost';
}

/** Whether the primary may do better: the replica is away, changes, or lacks a column of a new migration. */
const isOfReplica = (error: unknown): boolean =>
  error instanceof Lost || isUnavailable(error) || ['40001', '40P01', '42703', '42P01'].includes(getErrorCode(error));
