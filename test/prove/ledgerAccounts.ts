/** The accounts of the tenants in the model of the ledger, and how they are held against the database. */
import * as assert from 'uvu/assert';
import type { Api } from '../../src/app/api/client';
import type { AccountEntryForm, ValueAccountForm } from '../../src/contract/entities';
import { countAll } from '../facts';
import { sql } from '../world';
import type { Item, ModelAccount } from './ledgerModel';
import { cents, type Run, text } from './ledgerRun';
import { count } from './random';

const forms: readonly (Pick<ValueAccountForm, 'name' | 'kind'> & { methods: string[] })[] = [
  { name: 'Tag', kind: 'cash', methods: ['CashApp'] },
  { name: 'Bank', kind: 'cash', methods: ['PayPal', 'crypto wallet'] },
  { name: 'Till', kind: 'cash', methods: [] },
  { name: 'Yolo', kind: 'credits', methods: ['YOLO'] },
  { name: 'Spare', kind: 'credits', methods: [] },
];
/** How players pay in and are paid; no account has the last of each. */
export const methods = { in: ['cashapp', 'PAYPAL', 'cash'], out: ['PayPal', 'Crypto Wallet', 'Cash Tag'] } as const;

export async function addAccounts(admins: Record<number, Api>): Promise<ModelAccount[]> {
  const accounts: ModelAccount[] = [];
  for (const [tenant, api] of Object.entries(admins))
    for (const form of forms) {
      const { id, kind } = await api.createValueAccount({ body: { ...form, is_active: true } });
      accounts.push({ tenant_id: Number(tenant), id, kind, methods: form.methods, cents: 0 });
    }
  return accounts;
}

/** What a settlement adds to cash and to the stock of its platform, in cents. */
function flowsOf({ type, cents: amount }: Item): Partial<Record<ModelAccount['kind'], number>> {
  switch (type) {
    case 'TOP_UP':
      return { cash: amount };
    case 'DEPOSIT':
      return { credits: -amount };
    case 'RETURN':
      return { credits: amount };
    case 'REDEEM':
      return { cash: -amount };
    case 'GAME_REDEEM':
      return { cash: -amount, credits: amount };
  }
}

/** It was settled: the account that was named has moved, else that of its method or platform, else none. */
export function moveAccounts({ accounts, outside }: Run, item: Item, named: number | undefined): void {
  const { tenant_id } = item.player;
  for (const [kind, amount] of Object.entries(flowsOf(item)) as [ModelAccount['kind'], number][]) {
    const method = kind === 'credits' ? 'yolo' : item.method?.toLowerCase();
    const account = accounts.find(
      (one) =>
        one.tenant_id === tenant_id &&
        one.kind === kind &&
        (kind === 'cash' && named !== undefined
          ? one.id === named
          : one.methods.some((known) => known.toLowerCase() === method)),
    );
    if (account) account.cents += amount;
    else outside[`${tenant_id} ${kind}`] = (outside[`${tenant_id} ${kind}`] ?? 0) + amount;
  }
}

/** Buys credits, moves value between two accounts, or corrects one. */
export async function enterMove({ random, accounts, admins, outside, counts }: Run): Promise<void> {
  const first = random.pick(accounts),
    { tenant_id, kind } = first;
  const others = accounts.filter((one) => one.tenant_id === tenant_id && one !== first);
  const amount = random.from(1, 90_000),
    credits = random.from(1, 400_000);
  const entry = random.pick(['bought', 'moved', 'corrected'] as const);
  const second =
    entry === 'corrected'
      ? undefined
      : random.pick(others.filter((one) => (one.kind === kind) === (entry === 'moved')));
  const [from, to] = entry === 'bought' && kind === 'credits' ? [second, first] : [first, second];
  const body: AccountEntryForm = {
    entry,
    amount: text(amount),
    from_id: from?.id,
    to_id: to?.id,
    ...(entry === 'bought' && { credits: text(credits) }),
    ...(entry === 'corrected' && { reason: 'Counted' }),
  };
  assert.equal(await admins[tenant_id]!.enterAccountMove({ body }), { waits: false });
  const add = (account: ModelAccount | undefined, by: number) => {
    if (!account) return;
    account.cents += by;
    outside[`${tenant_id} ${account.kind}`] = (outside[`${tenant_id} ${account.kind}`] ?? 0) - by;
  };
  add(from, -amount);
  add(to, entry === 'bought' ? credits : amount);
  count(counts, entry);
}

/** The balances are the model's, counted or not, and with what is outside of them they are the ledger's. */
export async function compareAccounts({ accounts, admins, outside }: Run): Promise<void> {
  for (const what of ['counted in part', 'all counted']) {
    for (const [tenant, api] of Object.entries(admins)) {
      const found = (await api.getValueAccounts({})).accounts;
      const own = accounts.filter(({ tenant_id }) => tenant_id === Number(tenant));
      for (const { id, cents: expected } of own)
        assert.is(cents(found.find((one) => one.id === id)!.balance), expected, `account ${id}, ${what}`);
      const [ledger] = await sql<Record<ModelAccount['kind'], number>[]>`
        select coalesce(sum(case when from_account = 'cash_in' then amount
          when to_account = 'cash_out' then -amount end),
            0) as cash,
          coalesce(sum(case when from_account = 'platform' then amount when to_account = 'platform' then -amount end),
            0) as credits
        from transfers where tenant_id = ${Number(tenant)}`;
      for (const kind of ['cash', 'credits'] as const) {
        const sum = own.filter((one) => one.kind === kind).reduce((all, one) => all + one.cents, 0);
        assert.is(
          sum + (outside[`${tenant} ${kind}`] ?? 0),
          cents(ledger![kind]),
          `${kind} of tenant ${tenant}, ${what}`,
        );
      }
    }
    await countAll();
  }
}
