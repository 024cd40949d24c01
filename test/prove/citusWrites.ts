/** Writes of money by several tenants, each with a key, known again in the ledger and in the audit log. */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { type Api, ApiError } from '../../src/app/api/client';
import type { Database } from '../../src/server/db/open';
import { createApi } from '../createApi';
import { admin, amountOf, apiAt, type Marks, type Told, toldBy } from './marks';
import type { Random } from './random';

/** A balance is edited, a redeem requested, a purchase or a redeem settled. */
type Kind = 'edit' | 'request' | 'purchase' | 'redeem';

interface Write {
  mark: number;
  kind: Kind;
  key: string;
  player: Player;
  /** The purchase or redeem that is settled, and how. */
  id: number;
  status: 'success' | 'failed';
  told?: Told;
}
type Player = Marks['players'][number];
export interface World {
  api: Api;
  /** With the API key of each tenant. */
  shops: { api: Api; player: Player }[];
  players: Player[];
  /** Pending, and nobody is settling them. */
  open: Record<'purchase' | 'redeem', number[]>;
  writes: Write[];
  purchases: number;
  /** Settlements of redeems that were not to be seen yet. */
  unseen: number;
  /** Refusals that were no 503. */
  unexpected: string[];
}

const TENANTS = 4;
const PLAYERS = 3;
/** So many purchases are pending before each kill. */
const OPEN_PURCHASES = 40;

export async function createWorld(url: string, token: string): Promise<World> {
  const api = apiAt(url, token),
    none = { shops: [], players: [], writes: [], purchases: 0, unseen: 0, unexpected: [] },
    world: World = { api, ...none, open: { purchase: [], redeem: [] } };
  for (let n = 0; n < TENANTS; n++) {
    const { id: tenant_id } = await api.createTenant({ body: { name: `Arcade ${n}` } });
    const players = [];
    for (let m = 0; m < PLAYERS; m++) {
      const body = { email: `p${m}@arcade${n}.test`, password: 'x', tenant_id };
      const { id, email } = await api.createPlayer({ body });
      await api.adjustBalances({ id, body: { credit: '1000000' } });
      players.push({ id, email });
    }
    const { password } = admin,
      scopes = ['transactions:write' as const];
    const { key } = await api.createApiKey({ body: { name: 'Shop', scopes, tenant_id, password } });
    const shop = createApi({
      token: () => key,
      fetch: (path, init) => {
        const headers = new Headers(init.headers);
        headers.set('Idempotency-Key', randomUUID());
        return fetch(new URL(path, url), { ...init, headers });
      },
    });
    world.shops.push({ api: shop, player: players[0]! });
    world.players.push(...players);
  }
  return world;
}

/** New purchases for the writers, while nothing is being killed. */
export async function addPurchases({ shops, open, ...world }: World): Promise<number> {
  let made = world.purchases;
  while (open.purchase.length < OPEN_PURCHASES) {
    const paid = { amount: '5', payment_method: 'Apex' };
    const answers = await Promise.all(
      shops.map(({ api, player: { email } }) =>
        api.pushTopUp({ body: { email, ...paid, payment_reference: `reference-${++made}` } }),
      ),
    );
    open.purchase.push(...answers.map(({ id }) => id));
  }
  return made;
}

/** Writes until it is told to stop. */
export async function writeOn(world: World, random: Random, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const write = nextWrite(world, random);
    await send(world, write);
    if (write.told !== 'done') await setTimeout(200);
  }
}

function nextWrite({ open, players, writes }: World, random: Random): Write {
  let kind = random.pick<Kind>(['edit', 'request', 'purchase', 'redeem']);
  const id = kind === 'purchase' || kind === 'redeem' ? open[kind].shift() : 0;
  if (id === undefined) kind = 'edit'; // nothing is pending
  const status = kind === 'redeem' ? random.pick(['success', 'failed'] as const) : 'success';
  const player = random.pick(players);
  const write: Write = { mark: writes.length + 1, kind, key: randomUUID(), player, id: id ?? 0, status };
  writes.push(write);
  return write;
}

/** Sends it once and believes the answer. */
async function send(world: World, write: Write): Promise<void> {
  const { api, open } = world,
    { mark, kind, key, player, id, status } = write,
    options = { idempotencyKey: key };
  try {
    if (kind === 'edit') await api.adjustBalances({ id: player.id, body: { bonus: amountOf(mark) } }, options);
    else if (kind === 'purchase') await api.changePurchaseStatus({ id, body: { status } }, options);
    else if (kind === 'redeem') await api.changeRedeemStatus({ id, body: { status } }, options);
    else {
      const payout = { platform: 'yolo', payout_method: 'PayPal', payout_address: `mark${mark}` } as const;
      const body = { user_email: player.email, amount: '0.01', ...payout };
      open.redeem.push((await api.createManualRedeem({ body }, options)).id);
    }
    write.told = 'done';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    write.told = toldBy(error);
    if (write.told === 'unknown') return;
    if (kind === 'redeem' && error.status === 404)
      world.unseen++; // its request was acknowledged, and is still in doubt at the worker
    else if (error.status !== 503) world.unexpected.push(`${kind} ${mark}: ${error.status} ${error.message}`);
    if (kind === 'purchase' || kind === 'redeem') open[kind].push(id);
  }
}

/** Sends what has an unknown outcome again with its key, until it is known. */
export async function sendUnknownAgain(world: World): Promise<number> {
  const unknown = world.writes.filter(({ told }) => told === 'unknown');
  for (const write of unknown) {
    for (let tries = 0; write.told !== 'done' && tries < 5; tries++) await send(world, write);
    assert.is(write.told, 'done', `${write.kind} ${write.mark}, sent again`);
  }
  return unknown.length;
}

/** By which a write is found again. */
const nameOf = ({ kind, mark, id, status }: Write): string =>
  kind === 'edit' ? `edit ${amountOf(mark)}` : kind === 'request' ? `request mark${mark}` : `${kind} ${id} ${status}`;

/** Acknowledged: there once. Refused: not there. The audit log has an entry if and only if the money has moved. */
export async function checkWrites({ sql }: Database, { writes }: World): Promise<void> {
  const redeems = await sql<{ id: number; mark: string }[]>`select id, payout_address as mark from redeems`;
  const marks = new Map(redeems.map(({ id, mark }) => [String(id), mark]));
  const count = (rows: readonly { kind: string; which: string; times: number }[]) => {
    const nameIn = ({ kind, which }: (typeof rows)[number]) =>
      `${kind} ${kind === 'request' ? (marks.get(which) ?? `for no redeem ${which}`) : which}`;
    const counted = rows.map((row): [string, number] => [nameIn(row), row.times]);
    return Object.fromEntries(counted.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  };
  const moved = count(
    await sql<{ kind: Kind; which: string; times: number }[]>`
      select 'edit' as kind, amount::text as which, count(*)::int as times
      from transfers where from_account = 'adjustment' and to_account = 'bonus' group by 2
      union all
      select 'request', money_id::text, count(*)::int from transfers where to_account = 'held' group by 2
      union all
      select case from_account when 'held' then 'redeem' else 'purchase' end,
        money_id || case when from_account = 'held' and to_account <> 'cash_out' then ' failed' else ' success' end,
        count(*)::int
      from transfers where from_account in ('cash_in', 'held') group by 1, 2`,
  );
  const entries = count(
    await sql<{ kind: Kind; which: string; times: number }[]>`
      select case call when 'adjustBalances' then 'edit' when 'createManualRedeem' then 'request'
          when 'changePurchaseStatus' then 'purchase' else 'redeem' end as kind,
        case call when 'adjustBalances'
            then ((after ->> 'bonus_balance')::numeric - (before ->> 'bonus_balance')::numeric)::numeric(14,2)::text
          when 'createManualRedeem' then object_id
          else object_id || ' ' || (after ->> 'status') end as which,
        count(*)::int as times
      from audit_log
      where call in ('createManualRedeem', 'changePurchaseStatus', 'changeRedeemStatus')
        or call = 'adjustBalances' and after ->> 'bonus_balance' is not null
      group by 1, 2`,
  );
  assert.equal(entries, moved, 'each entry of the audit log has its money, and all money its entry');
  const rest = new Map(Object.entries(moved));
  for (const write of writes) {
    const name = nameOf(write),
      found = rest.get(name) ?? 0;
    if (write.told === 'done') {
      assert.is(found, 1, `the acknowledged ${name}`);
      rest.delete(name);
    } else if (write.kind === 'edit' || write.kind === 'request') assert.is(found, 0, `the refused ${name}`);
  }
  assert.equal([...rest], [], 'nobody was told that this is done');
}
