/** What is answered, as tests compare it. */
import * as assert from 'uvu/assert';
import type { Amounts } from '../src/contract/entities';
import { verifyLedger } from '../src/server/books/verify';
import { pam, refusal, sql } from './world';

/** To be run after each test that moves money. */
export const booksAddUp = async (): Promise<void> => assert.equal(await verifyLedger(sql), []);

/** A call is refused with a status, and with these words if any are given. */
export async function isRefused(
  work: Promise<unknown>,
  status: number,
  words?: string | RegExp,
  what?: string,
): Promise<void> {
  const found = await refusal(work);
  assert.is(found.status, status, what ?? found.detail);
  if (words instanceof RegExp) assert.match(found.detail, words, what);
  else if (words !== undefined) assert.is(found.detail, words, what);
}
/** One column of rows. */
export const pluck = <Row extends object, Key extends keyof Row>(rows: readonly Row[], column: Key): Row[Key][] =>
  rows.map((row) => row[column]);
/** Some columns of rows. */
export const table = <Row extends object, Key extends keyof Row>(
  rows: readonly Row[],
  ...columns: readonly Key[]
): Row[Key][][] => rows.map((row) => columns.map((column) => row[column]));
/** The same, each row as a line of text. */
export const lines = <Row extends object>(rows: readonly Row[], ...columns: (keyof Row)[]): string[] =>
  rows.map((row) => columns.map((column) => String(row[column])).join(' '));
/** The status of a call that may be refused. */
export const statusOf = (work: Promise<unknown>): Promise<number> =>
  work.then(
    () => 200,
    (error: { status: number }) => error.status,
  );
/** Sums of amounts, in cents. */
export const cents = (amount: number): number => Math.round(amount * 100);
export const addUp = (list: readonly Amounts[]): Amounts => ({
  purchases: list.reduce((sum, { purchases }) => sum + cents(purchases), 0),
  redeems: list.reduce((sum, { redeems }) => sum + cents(redeems), 0),
  ggr: list.reduce((sum, { ggr }) => sum + cents(ggr), 0),
});
/** An answer as it came, and whether it repeats an earlier one. */
export const readAnswer = async (response: Response) => ({
  status: response.status,
  body: await response.json(),
  isReplay: response.headers.get('Idempotency-Replayed') === 'true',
});

/** What a player has. */
export async function walletOf(id: number = pam.id): Promise<{ credit: number; bonus: number; held: number }> {
  const [row] = await sql<{ credit: number; bonus: number; held: number }[]>`
    select credit_balance as credit, bonus_balance as bonus, held_balance as held from wallets where player_id = ${id}`;
  return { ...row! };
}
export const creditOf = async (id: number = pam.id): Promise<number> => (await walletOf(id)).credit;
