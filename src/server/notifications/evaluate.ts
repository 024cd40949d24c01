/** Evaluates the rules, once a minute by one of the servers. */
import { listedKinds, NOTIFICATION_DAYS, type RuleKind, ruleFacts } from '../../contract/notifications';
import type { Database, Sql } from '../db/open';
import { readDrift } from '../monitoring/figures';
import { findLargeRedeems, findOldRows, findPendingMoney, findUnusualReturns } from './detectMoney';
import {
  findFailingProviders,
  findLedgerOff,
  findLowStock,
  findNewSeconds,
  findOldBackup,
  findShiftDifferences,
  findSilentProviders,
  findWaitingApprovals,
} from './detectState';
import { findDigests } from './digest';
import { findNewRows } from './listedRows';
import { type Found, forgetOver, record } from './record';

interface Detector {
  kind: RuleKind;
  find: (sql: Sql, db: Database) => PromiseLike<readonly Found[]>;
  /** Fires when it begins, and not again before it is over. */
  isState?: true;
  summarize?: (count: number) => string;
}

const detectors: readonly Detector[] = [
  { kind: 'large_redeem', find: findLargeRedeems, summarize: (count) => `${count} large redeems` },
  {
    kind: 'old_redeem',
    find: (sql) => findOldRows(sql, 'old_redeem'),
    summarize: (count) => `${count} redeems wait too long`,
  },
  {
    kind: 'old_purchase',
    find: (sql) => findOldRows(sql, 'old_purchase'),
    summarize: (count) => `${count} purchases wait too long`,
  },
  {
    kind: 'approval_waits',
    find: findWaitingApprovals,
    summarize: (count) => `${count} wait for a second person`,
  },
  { kind: 'unusual_return', find: findUnusualReturns, summarize: (count) => `${count} unusual returns` },
  { kind: 'pending_money', find: findPendingMoney, isState: true },
  { kind: 'low_stock', find: findLowStock, isState: true, summarize: (count) => `${count} stocks are low` },
  {
    kind: 'shift_difference',
    find: findShiftDifferences,
    summarize: (count) => `${count} differences in shifts`,
  },
  {
    kind: 'provider_failing',
    find: async (sql) => [...(await findFailingProviders(sql)), ...(await findSilentProviders(sql))],
    isState: true,
  },
  ...listedKinds.map(
    (kind): Detector => ({
      kind,
      find: (sql) => findNewRows(sql, kind),
      summarize: (count) => `${ruleFacts[kind].name}: ${count} new`,
    }),
  ),
  {
    kind: 'ledger_off',
    find: async (sql, db) => findLedgerOff(sql, await readDrift(db)),
    isState: true,
    summarize: (count) => `Ledger off: ${count} differences`,
  },
  { kind: 'new_second', find: findNewSeconds, summarize: (count) => `${count} approvals by new accounts` },
  { kind: 'old_backup', find: findOldBackup, isState: true },
  { kind: 'digest', find: findDigests },
];

/** A rule that takes longer is tried again a minute later. */
const MOST_MS = 5_000;
/** Between two runs, whichever server does them. */
const SECONDS = 55;

/** `warn` learns of a rule that failed; the others are evaluated all the same. */
export async function evaluate(
  db: Database,
  warn: (error: unknown, kind: RuleKind) => void,
  { isForced = false }: { isForced?: boolean } = {},
): Promise<void> {
  const mine = await db.sql`
    insert into notification_runs (task, at) values ('evaluate', now())
    on conflict (task) do update set at = excluded.at
    where notification_runs.at < excluded.at - make_interval(secs => ${isForced ? -1 : SECONDS})
    returning task`;
  if (!mine.length) return;
  for (const detector of detectors) await run(db, detector).catch((error: unknown) => warn(error, detector.kind));
}

async function run(db: Database, { kind, find, isState, summarize }: Detector): Promise<void> {
  await db.tx(async (sql) => {
    await sql.unsafe(`set local statement_timeout = ${MOST_MS}`);
    const found = await find(sql, db);
    await record(sql, kind, found, summarize);
    if (isState) await forgetOver(sql, kind, found);
  });
}

/** Deletes what is old. For a redeem that has waited longer a rule fires once more. */
export async function sweepNotifications(sql: Sql): Promise<void> {
  await sql`delete from notifications where at < now() - make_interval(days => ${NOTIFICATION_DAYS})`;
  await sql`delete from notification_things where at < now() - make_interval(days => ${2 * NOTIFICATION_DAYS})`;
}
