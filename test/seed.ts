/** Money for tests, moved by the ledger's own verbs. Amounts are decimal text. */
import type { BalanceKind, Status } from '../src/contract/constants';
import type { Sql } from '../src/server/db/open';
import { adjustBalances, openWallet } from '../src/server/ledger/adjust';
import { createDeposit, createRedeem, createReturn, createTopUp, type NewTopUp } from '../src/server/ledger/create';
import { settlePurchase, settleRedeem } from '../src/server/ledger/settle';
import { countMoments } from '../src/server/totals/adjustFacts';
import { lockFacts } from '../src/server/totals/countFacts';
import { db, people, services } from './world';

/** Someone the money belongs to: a player of the world, or one made by `addPlayer`. */
export interface Owner {
  tenant_id: number;
  id: number;
}
interface When {
  initiated_at?: Date;
  completed_at?: Date;
}

const by = people.sue.id;
const owned = (owner: Owner) => ({ tenant_id: owner.tenant_id, player_id: owner.id });
const settled = (id: number, status: Status, when: When) => ({
  id,
  tenant: null,
  status,
  admin_id: by,
  completed_at: when.completed_at,
});

export interface NewPerson {
  email: string;
  first_name?: string;
  last_name?: string;
  phone_number?: string;
  affiliate_id?: string;
  created_at?: Date;
  is_active?: boolean;
  credit?: string;
}
export const addPlayer = (tenantId: number, person: NewPerson): Promise<Owner & { email: string }> =>
  db.tx(async (tx) => {
    const { email, first_name = 'Some', last_name, phone_number, affiliate_id, created_at, credit } = person;
    if (created_at) await lockFacts(tx, tenantId);
    const [row] = await tx<{ id: number }[]>`
      insert into players (tenant_id, email, first_name, last_name, phone_number, affiliate_id, created_at, is_active)
      values (
        ${tenantId}, ${email}, ${first_name}, ${last_name ?? null}, ${phone_number ?? null}, ${affiliate_id ?? null},
        coalesce(${created_at ?? null}::timestamptz, now()), ${person.is_active ?? true})
      returning id`;
    const id = row!.id;
    await openWallet(tx, tenantId, id);
    if (created_at) await countMoments(tx, tenantId, 'signup', [{ at: created_at, by: 1 }]);
    if (credit) await give(tx, { tenant_id: tenantId, id }, 'credit', credit);
    return { tenant_id: tenantId, id, email };
  });

const give = (sql: Sql, owner: Owner, kind: BalanceKind, amount: string) =>
  adjustBalances(sql, { ...owned(owner), admin_id: by, changes: [{ kind, operation: 'add', amount }] });

/** Puts money into a balance, as an addition by hand. */
export const fund = (owner: Owner, kind: BalanceKind, amount: string): Promise<unknown> =>
  db.tx((tx) => give(tx, owner, kind, amount));

/** Returns the purchase's id. */
export const topUp = (
  owner: Owner,
  amount: string,
  status: Status = 'pending',
  more: When & Partial<NewTopUp> = {},
): Promise<number> =>
  db.tx(async (tx) => {
    const id = await createTopUp(tx, { ...more, ...owned(owner), amount });
    if (status !== 'pending') await settlePurchase(tx, settled(id, status, more));
    return id;
  });

/** Returns the deposit's id. */
export const deposit = (
  owner: Owner,
  kind: BalanceKind,
  amount: string,
  status: Status = 'pending',
  when: When = {},
): Promise<number> =>
  db.tx(async (tx) => {
    const { initiated_at } = when;
    const id = await createDeposit(tx, { ...owned(owner), amount, kind, platform: 'vblink', initiated_at });
    if (status !== 'pending') await settlePurchase(tx, settled(id, status, when));
    return id;
  });

/** Returns the id of a pending return from a game platform. */
export const giveBack = (owner: Owner, amount: string): Promise<number> =>
  db.tx((tx) => createReturn(tx, { ...owned(owner), amount, platform: 'vblink' }));

/** Returns the redeem's id. */
export const redeem = (owner: Owner, amount: string, status: Status = 'pending', when: When = {}): Promise<number> =>
  db.tx(async (tx) => {
    const { secrets } = services;
    const more = { platform: 'yolo', is_manual: true, admin_id: by, initiated_at: when.initiated_at, secrets } as const;
    const { id } = await createRedeem(tx, { ...owned(owner), amount, ...more });
    if (status !== 'pending') await settleRedeem(tx, { ...settled(id, status, when), by: { admin_id: by }, secrets });
    return id;
  });
