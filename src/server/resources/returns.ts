import type { ReturnRow, ReturnSettings } from '../../contract/entities';
import type { Handlers } from '../core/context';
import { notFound, Problem } from '../core/problem';
import { refusePlatformTenant, requireTenant, tenantScope } from '../core/tenancy';
import type { Sql } from '../db/open';
import { type DbRow, onlyRow } from '../db/row';
import { createReturn, lockReturnSettings } from '../ledger/create';
import { requirePlatformName } from '../queries/platformCredentials';
import { playersByEmail } from '../queries/playersByEmail';

const readSettings = async (sql: Sql, tenant: number): Promise<ReturnSettings> =>
  onlyRow(await sql<ReturnSettings[]>`select redeems_from_game from tenants where id = ${tenant}`);

/** Winnings come back from a game platform (docs/extras/returns.md, "Returns"). */
export const returns = {
  /** Also for an inactive player: the money left the game. It is settled like a deposit. */
  async createReturn({ sql, caller, body, audit }) {
    const tenant = tenantScope(caller, body.tenant_id);
    if (tenant !== null) refusePlatformTenant(tenant);
    await requirePlatformName(sql, body.platform);
    const [player, other] = await playersByEmail(sql, tenant, body.user_email);
    if (!player) throw notFound('User');
    if (other) throw new Problem(409, 'Email exists in several tenants');
    const { tenant_id, id: player_id } = player;
    const id = await createReturn(sql, {
      tenant_id,
      player_id,
      amount: String(body.amount),
      platform: body.platform,
      description: body.description || null,
    });
    const row = onlyRow(
      await sql<DbRow<ReturnRow>[]>`
        select m.*, p.email as user_email from transactions m
          join players p on p.tenant_id = m.tenant_id and p.id = m.player_id
        where m.tenant_id = ${tenant_id} and m.id = ${id}`,
    );
    const { amount, platform, status } = row;
    audit.about({ kind: 'return', id, tenant_id, player_id, after: { amount, platform, status } });
    return row;
  },

  async getReturnSettings({ sql, caller, query }) {
    const tenant = tenantScope(caller, query.tenant_id);
    if (tenant === null) throw new Problem(422, 'query.tenant_id: is required');
    await requireTenant(sql, tenant);
    return readSettings(sql, tenant);
  },

  /** What waits was made by the old way and would be settled by it, so nothing may wait. */
  async changeReturnSettings({ sql, caller, body, audit }) {
    const tenant = tenantScope(caller, body.tenant_id);
    if (tenant === null) throw new Problem(422, 'body.tenant_id: is required');
    await requireTenant(sql, tenant);
    await lockReturnSettings(sql, tenant, { isAlone: true }); // waits for redeems that are being created
    const before = await readSettings(sql, tenant);
    const after = { redeems_from_game: body.redeems_from_game };
    if (before.redeems_from_game !== after.redeems_from_game) {
      const { waiting } = onlyRow(
        await sql<{ waiting: number }[]>`
          select count(*) as waiting from redeems where tenant_id = ${tenant} and status = 'pending'`,
      );
      if (waiting)
        throw new Problem(409, `${waiting} ${waiting === 1 ? 'redeem waits' : 'redeems wait'}. Settle them first`);
      await sql`update tenants set redeems_from_game = ${after.redeems_from_game} where id = ${tenant}`;
    }
    audit.about({ kind: 'tenant', id: tenant, tenant_id: tenant, before, after });
    return after;
  },
} satisfies Partial<Handlers>;
