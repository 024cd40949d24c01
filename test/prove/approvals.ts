/**
 * Random tries at being both of the two people who must agree, by every door: two sessions, an API key, the approval's
 * own call, accounts whose passwords one has set, edits of balances, and limits that change in between.
 */
import * as assert from 'uvu/assert';
import type { Api } from '../../src/app/api/client';
import { permissions } from '../../src/contract/permissions';
import { verifyLedger } from '../../src/server/books/verify';
import { createRedeem } from '../../src/server/ledger/create';
import { createApi } from '../createApi';
import { newKey, withKey } from '../integrations';
import { as, db, fetch, guest, hashOfPassword, PASSWORD, pam, people, reset, services, sql } from '../world';
import { count, inWords, type ProveOptions, Random } from './random';

/** Everything is above the limit, however two people change it. */
const AMOUNT = '200',
  LIMITS = ['100', '150', '200'];

async function colleague(email: string, setBy: number | null): Promise<Api> {
  await sql`
    insert into admins (tenant_id, role_id, email, password_hash, permissions, sign_in_set_by)
    select 2, id, ${email}, ${hashOfPassword}, ${[...permissions]}, ${setBy} from roles where name = 'admin'`;
  const token = (await guest.login({ body: { email, password: PASSWORD } })).access_token;
  return createApi({ fetch, token: () => token });
}

const newRedeem = () =>
  db.tx(async (tx) => {
    const { id } = await createRedeem(tx, {
      tenant_id: pam.tenant_id,
      player_id: pam.id,
      amount: AMOUNT,
      platform: 'vblink',
      is_manual: true,
      admin_id: null,
      secrets: services.secrets,
    });
    return id;
  });

export async function prove({ seed, say, long, ops = long ? 10_000 : 1_000 }: ProveOptions): Promise<void> {
  const random = new Random(seed);
  await reset();
  await sql`update admins set permissions = ${[...permissions]}`;
  const ann = await as('ann'),
    other = await as('ann'),
    bob = await colleague('bob@acme.test', null),
    cal = await colleague('cal@acme.test', people.ann.id),
    dan = await colleague('dan@acme.test', people.ann.id),
    key = withKey((await newKey('ann', ['transactions:settle'])).key);
  const persons = [ann, other, bob, cal, dan];
  await ann.adjustBalances({ id: pam.id, body: { credit: '1000000' } });
  await sql`update tenants set payout_approval_from = 100, edit_approval_from = 100 where id = 2`;

  const redeems = await Promise.all(Array.from({ length: 20 }, newRedeem));
  const counts: Record<string, number> = {};
  const doors: Record<string, (by: Api) => Promise<unknown>> = {
    status: (by) => by.changeRedeemStatus({ id: random.pick(redeems), body: { status: 'success' } }),
    refuse: (by) => by.changeRedeemStatus({ id: random.pick(redeems), body: { status: 'failed' } }),
    key: () => key.pushStatus({ id: random.pick(redeems), body: { status: 'success' } }),
    approve: async (by) => {
      const waiting = await by.listApprovals({});
      if (waiting.length) await by.approveChange({ id: random.pick(waiting).id });
    },
    withdraw: async (by) => {
      const waiting = await by.listApprovals({});
      if (waiting.length) await by.endApproval({ id: random.pick(waiting).id });
    },
    edit: (by) => by.adjustBalances({ id: pam.id, body: { bonus: AMOUNT } }),
    limits: (by) =>
      by.changeApprovalLimits({ body: { payouts_from: random.pick(LIMITS), edits_from: random.pick(LIMITS) } }),
  };
  for (let n = 0; n < ops; n++) {
    const names = ['status', 'status', 'status', 'key', 'approve', 'approve', 'edit', 'limits', 'refuse', 'withdraw'];
    const tries = Array.from({ length: 1 + random.from(0, 2) }, async () => {
      const name = random.pick(names);
      const told = await doors[name]!(random.pick(persons)).then(
        () => 'done',
        (error: { status?: number }) => String(error.status),
      );
      assert.ok(['done', '404', '409'].includes(told), `${name}: ${told}`);
      count(counts, `${name} ${told}`);
    });
    await Promise.all(tries);
    if (n % 5 === 0) redeems.splice(random.from(0, redeems.length - 1), 1, await newRedeem());
  }
  await checkAll();
  say(`${ops} rounds: ${inWords(counts)}`);
}

/** Of all that was done, by the tables and by the audit log. */
async function checkAll(): Promise<void> {
  const alone = await sql`
    select a.id from approvals a join admins s on s.id = a.ended_by join admins f on f.id = a.first_admin_id
    where a.outcome = 'approved' and (s.id = f.id or s.sign_in_set_by = f.id or f.sign_in_set_by = s.id
      or f.sign_in_set_by = s.sign_in_set_by)`;
  assert.equal(alone, [], 'nobody was both');
  const unapproved = await sql`
    select r.id from redeems r
    where r.status = 'success' and not exists (
      select 1 from approvals a where a.tenant_id = r.tenant_id and a.redeem_id = r.id and a.outcome = 'approved')`;
  assert.equal(unapproved, [], 'nothing was paid by one person');
  const [edits] = await sql<{ made: number; approved: number }[]>`
    select (select count(*) from transfers where to_account = 'bonus' and money_id is null)::int as made,
      (select count(*) from approvals where kind = 'balances' and outcome = 'approved')::int as approved`;
  assert.is(edits?.made, edits?.approved, 'each edit was approved once');
  assert.equal(await verifyLedger(sql), []);
}
