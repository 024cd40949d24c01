/** Crowds: reads as people make them, and writes that move money. */
import type { Asked } from './client';
import { FIRST_TENANT, TENANTS } from './generate';
import { rate } from './measure';
import type { World } from './serverProcess';

/** First pages, searches, lists and figures of one tenant after the other. */
export function reads({ playersPerTenant }: World): (n: number) => Asked {
  return (n) => {
    const tenant = FIRST_TENANT + ((n * 37) % TENANTS);
    const player = (tenant - FIRST_TENANT) * playersPerTenant + 1 + ((n * 7919) % playersPerTenant);
    switch (n % 5) {
      case 0:
        return { path: `/api/v1/admin/user-management/users?tenant_id=${tenant}` };
      case 1:
        return { path: `/api/v1/admin/user-management/users?tenant_id=${tenant}&search=.${player}@` };
      case 2:
        return { path: `/api/v1/admin/purchases?tenant_id=${tenant}&transaction_type=TOP_UP&limit=25` };
      case 3:
        return { path: `/api/v1/admin/user/${player}/transaction-history` };
      default:
        return { path: `/api/v1/admin/dashboard-metrics?tenant_id=${tenant}` };
    }
  };
}

/** Settles purchases made beforehand, and adds to balances, of players all over the tenants. */
export async function writes({ db, playersPerTenant }: World, most: number): Promise<(n: number) => Asked | undefined> {
  const total = playersPerTenant * TENANTS;
  // Of players with an earlier purchase: a pending one moves nothing, so all that is kept beside it stays right.
  const pending = await db.sql<{ id: number }[]>`
    insert into transactions (tenant_id, player_id, transaction_type, amount, payment_method)
    select w.tenant_id, w.player_id, 'TOP_UP', 20 + n % 100, 'Card'
    from generate_series(1, ${most}::int) n cross join lateral (select 1 + n::bigint * 7919 % ${total}::int as id) p
    join wallets w on w.tenant_id = ${FIRST_TENANT}::int + (p.id - 1) / ${playersPerTenant}::int and w.player_id = p.id
    where w.first_purchase_id is not null
    returning id`;
  const settle = (n: number): Asked | undefined =>
    pending[n] && {
      method: 'POST',
      path: `/api/v1/admin/purchases/${pending[n].id}/status`,
      body: { status: 'success' },
    };
  return (n) =>
    n % 2
      ? {
          method: 'POST',
          path: `/api/v1/admin/user/${1 + ((n * 7919) % total)}/update-balances`,
          body: { credit: '1.00', credit_op: 'add' },
        }
      : settle(n >> 1);
}

const CONNECTIONS = 16;

export async function traffic(world: World, seconds: number) {
  const read = reads(world);
  await rate(world, read, 1, CONNECTIONS);
  const readRate = await rate(world, read, seconds, CONNECTIONS);
  const writeRate = await rate(world, await writes(world, 10_000), seconds, CONNECTIONS);
  return [
    { name: `reads, ${CONNECTIONS} connections`, rate: readRate, least: 2_500 },
    { name: `money writes, ${CONNECTIONS} connections`, rate: writeRate, least: 300 },
  ];
}
