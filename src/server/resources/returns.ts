import type { ReturnRow } from '../../contract/entities';
import type { Handlers } from '../core/context';
import { notFound, Problem } from '../core/problem';
import { refusePlatformTenant, tenantScope } from '../core/tenancy';
import { type DbRow, onlyRow } from '../db/row';
import { createReturn } from '../ledger/create';
import { requirePlatformName } from '../queries/platformCredentials';
import { playersByEmail } from '../queries/playersByEmail';

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
    const row = await onlyRow(sql<DbRow<ReturnRow>[]>`
      select m.*, p.email as user_email from transactions m
        join players p on p.tenant_id = m.tenant_id and p.id = m.player_id
      where m.tenant_id = ${tenant_id} and m.id = ${id}`);
    const { amount, platform, status } = row;
    audit.about({ kind: 'return', id, tenant_id, player_id, after: { amount, platform, status } });
    return row;
  },
} satisfies Partial<Handlers>;
