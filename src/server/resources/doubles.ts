import { DOUBLES_PAGE } from '../../contract/doubles';
import type { DoublesQuery } from '../../contract/entities';
import { toPlayer } from '../audit/auditLog';
import type { Caller } from '../auth/caller';
import type { Handlers } from '../core/context';
import { Problem } from '../core/problem';
import { findPlayer, nameTenant, type Owner, tenantScope } from '../core/tenancy';
import type { Sql } from '../db/open';
import { leaveGroup, linkPlayers, readGroups } from '../ledger/playerLinks';
import { isOn, lockWallet, mostOf, readProtection } from '../ledger/protection';
import { LOOKED, lookAtPlayers, readPairs } from '../queries/possibleDoubles';

/** For so long a page goes on looking at older players. */
const LOOK_MS = 1_000;

/** Looks for a page of pairs, from the newest player on. */
async function findPairs(sql: Sql, tenant: number, { cursor = Number.MAX_SAFE_INTEGER }: DoublesQuery) {
  const pairs: { id: number; other_id: number }[] = [];
  const end = Date.now() + LOOK_MS;
  let last = { id: cursor, created_at: null as string | null };
  for (;;) {
    const rows = await lookAtPlayers(sql, tenant, last.id);
    const looked = new Set<number>();
    for (const { id, created_at, other_id } of rows) {
      if (pairs.length >= DOUBLES_PAGE && id !== last.id) return { pairs, last, isMore: true };
      looked.add(id);
      last = { id, created_at };
      if (other_id !== null) pairs.push({ id, other_id });
    }
    if (looked.size < LOOKED) return { pairs, last, isMore: false };
    if (Date.now() > end) return { pairs, last, isMore: true };
  }
}

/** Both of a pair, of one tenant. */
async function findBoth(sql: Sql, caller: Caller, id: number, other_id: number): Promise<[Owner, Owner]> {
  const owner = await findPlayer(sql, tenantScope(caller), id);
  if (other_id === id) throw new Problem(422, 'body.player_id: is the same user');
  return [owner, await findPlayer(sql, owner.tenant_id, other_id)];
}
const inOrder = <T extends Owner>(pair: T[]): T[] => [...pair].sort((a, b) => a.player_id - b.player_id);
async function lockWallets(sql: Sql, pair: Owner[]): Promise<void> {
  for (const each of inOrder(pair)) await lockWallet(sql, each);
}

/** As the audit log has it. */
async function readLinked(sql: Sql, { tenant_id, player_id }: Owner) {
  const group = await readGroups(sql, tenant_id, [player_id]);
  return { linked_with: group.filter((id) => id !== player_id) };
}

/** Whether a break or a limit of any of them counts now. */
async function isProtected(sql: Sql, tenant: number, ids: number[]): Promise<boolean> {
  const [found] = await sql`
    select 1 as one from player_limits l
    where l.tenant_id = ${tenant} and l.player_id = any(${ids}::bigint[])
      and (${mostOf(sql)} is not null or l.next_at > now())
    union all
    select 1 from player_exclusions e join tenants t on t.id = e.tenant_id
    where e.tenant_id = ${tenant} and e.player_id = any(${ids}::bigint[]) and ${isOn(sql)}
    limit 1`;
  return found !== undefined;
}

/** Players who may be one person (docs/extras/protection.md). */
export const doubles = {
  async getPossibleDoubles({ sql, caller, query }) {
    const tenant = await nameTenant(sql, caller, 'query', query.tenant_id);
    const { pairs, last, isMore } = await findPairs(sql, tenant, query);
    return {
      pairs: pairs.length ? await readPairs(sql, tenant, pairs) : [],
      looked_to: last.created_at,
      next_cursor: isMore ? last.id : null,
    };
  },

  async linkPlayers({ sql, caller, params, body, audit }) {
    const pair = await findBoth(sql, caller, params.id, body.player_id);
    const [owner] = pair;
    await lockWallets(sql, pair);
    const before = await readLinked(sql, owner);
    const [lower, higher] = inOrder(pair);
    const ids = pair.map(({ player_id }) => player_id);
    await linkPlayers(sql, owner.tenant_id, ids, caller.admin_id);
    await sql`
      delete from dismissed_pairs
      where tenant_id = ${owner.tenant_id} and lower_id = ${lower!.player_id} and higher_id = ${higher!.player_id}`;
    audit.about({ ...toPlayer(owner), before, after: await readLinked(sql, owner) });
    return readProtection(sql, owner);
  },

  /** While a break or limit counts for all, whoever is taken out would be free of it. */
  async unlinkPlayer({ sql, caller, params, audit }) {
    const owner = await findPlayer(sql, tenantScope(caller), params.id);
    await lockWallet(sql, owner);
    const linked = await leaveGroup(sql, owner);
    const isFree = linked.length > 0 && (await isProtected(sql, owner.tenant_id, [owner.player_id, ...linked]));
    if (isFree && !caller.role.is_super_admin)
      throw new Problem(409, 'A break or limit counts for all who are linked. A super admin can unlink them');
    audit.about({ ...toPlayer(owner), before: { linked_with: linked }, after: { linked_with: [] } });
    return readProtection(sql, owner);
  },

  async dismissPair({ sql, caller, params, body, audit }) {
    const pair = await findBoth(sql, caller, params.id, body.player_id);
    const [owner, other] = pair;
    await lockWallets(sql, pair); // a deletion at the same moment would leave the row
    const [lower, higher] = inOrder(pair);
    const { tenant_id } = owner;
    await sql`
      insert into dismissed_pairs (tenant_id, lower_id, higher_id, admin_id)
      values (${tenant_id}, ${lower!.player_id}, ${higher!.player_id}, ${caller.admin_id})
      on conflict (tenant_id, higher_id, lower_id) do nothing`;
    audit.about({ ...toPlayer(owner), after: { not_the_same_as: other.player_id } });
  },
} satisfies Partial<Handlers>;
