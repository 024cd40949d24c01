/** What one run of random operations carries, and how its end is held against the database. */
import * as assert from 'uvu/assert';
import type { Api } from '../../src/app/api/client';
import type { Status } from '../../src/contract/constants';
import { verifyLedger } from '../../src/server/books/verify';
import { dayCtes, dayTotals } from '../../src/server/totals/liveFacts';
import { sql } from '../world';
import { type Figure, firstPurchase, type Item, type ModelAccount, type ModelPlayer } from './ledgerModel';
import type { Random } from './random';

/** 1234 -> '12.34' */
export const text = (cents: number) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
export const cents = (dollars: number) => Math.round(dollars * 100);

export interface Run {
  random: Random;
  players: ModelPlayer[];
  items: Item[];
  admins: Record<number, Api>;
  stranger: Record<number, Api>;
  checkout: Map<ModelPlayer, Api>;
  /** Settled by somebody else meanwhile, it was said: must turn out to be so. */
  said: { item: Item; status: Status }[];
  goneSaid: ModelPlayer[];
  accounts: ModelAccount[];
  /** Cents by '2 cash': what the ledger has and no account, less what moved by hand. */
  outside: Record<string, number>;
  counts: Record<string, number>;
}
/** At the end nothing overlaps any more: the database must be what the model is, to the cent. */
export async function compare({ players, items, said, goneSaid }: Run): Promise<void> {
  assert.equal(await verifyLedger(sql), []);
  for (const { item, status } of said) assert.is(item.status, status, `item ${item.id} was said to be ${status}`);
  for (const player of goneSaid) assert.ok(player.isDeleted, `player ${player.id} was said not to exist`);
  type Wallet = Record<Exclude<Figure, 'day' | 'pending'> | 'player_id', number> & { first: number | null };
  const wallets = await sql<Wallet[]>`
    select player_id, credit_balance as credit, bonus_balance as bonus, vip_balance as vip, loyalty_balance as loyalty,
      held_balance as held, individual_ggr as ggr, first_purchase_id as first from wallets`;
  for (const player of players) {
    const row = wallets.find(({ player_id }) => player_id === player.id)!;
    const { day: _, pending, ...figures } = player.figures;
    assert.equal(
      {
        ...Object.fromEntries(Object.keys(figures).map((name) => [name, cents(row[name as keyof typeof figures])])),
        first: row.first,
      },
      { ...figures, first: firstPurchase(items, player) },
      `wallet of player ${player.id}`,
    );
    assert.is(pending, items.filter((item) => item.player === player && item.status === 'pending').length);
  }
  const ids = players.map((player) => player.id);
  const rows = await sql<{ id: number; status: Status }[]>`
    select id, status from transactions where player_id = any (${ids}::bigint[])
    union all
    select id, status from redeems where player_id = any (${ids}::bigint[])
    order by id`;
  assert.equal(
    rows.map((row) => `${row.id} ${row.status}`),
    [...items].sort((a, b) => a.id - b.id).map((item) => `${item.id} ${item.status}`),
  );
  for (const tenant_id of [2, 3]) {
    const [totals] = await sql`
      with ${dayCtes(sql, tenant_id)}
      select coalesce(sum(purchases), 0) as purchases, coalesce(sum(redeems), 0) as redeems
      from ${dayTotals(sql, tenant_id)} d`;
    const sum = (type: Item['type']) =>
      items
        .filter((item) => item.player.tenant_id === tenant_id && item.type === type && item.status === 'success')
        .reduce((all, item) => all + item.cents, 0);
    assert.equal(
      [cents(totals!['purchases']), cents(totals!['redeems'])],
      [sum('TOP_UP'), sum('REDEEM') + sum('GAME_REDEEM')],
      `day totals of tenant ${tenant_id}`,
    );
  }
}
