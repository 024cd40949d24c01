import type { RowNeeds } from '../../contract/entities';
import type { Handlers } from '../core/context';
import { notFound } from '../core/problem';
import { inTenant, type Owner, tenantScope } from '../core/tenancy';
import { type DbRow, onlyRow } from '../db/row';
import { findActiveLogin, findPanel, toPlayerCredential } from '../queries/playerLogins';

/** As many as a row has room for. */
const MOVEMENTS = 3;

export const rowNeeds = {
  /** What staff look up before they decide a deposit or redeem at a platform. */
  async getRowNeeds({ sql, caller, params }) {
    const tenant = tenantScope(caller);
    const [money] = await sql<(Owner & { platform: string | null })[]>`
      select tenant_id, player_id, platform from transactions where id = ${params.id} and ${inTenant(sql, tenant)}
      union all
      select tenant_id, player_id, platform from redeems where id = ${params.id} and ${inTenant(sql, tenant)}`;
    if (!money) throw notFound('Transaction');
    const { tenant_id, player_id } = money,
      platform = money.platform ?? '';
    const login = await findActiveLogin(sql, { tenant_id, player_id, platform });
    const wallet = await onlyRow(sql<Omit<DbRow<RowNeeds>, 'login' | 'panel_url' | 'movements'>[]>`
      select credit_balance, bonus_balance, vip_balance, loyalty_balance, held_balance from wallets
      where tenant_id = ${tenant_id} and player_id = ${player_id}`);
    const movements = await sql<DbRow<RowNeeds['movements'][number]>[]>`
      select t.id, t.created_at, t.from_account, t.to_account, t.amount,
        coalesce(m.transaction_type, case
          when r.id is not null then 'WITHDRAWAL'
          when t.from_account = 'opening' then 'OPENING'
          else 'ADJUSTMENT'
        end) as transaction_type
      from (
        select * from transfers where tenant_id = ${tenant_id} and player_id = ${player_id}
        order by id desc limit ${MOVEMENTS}
      ) t
      left join transactions m on m.tenant_id = ${tenant_id} and m.id = t.money_id
      left join redeems r on r.tenant_id = ${tenant_id} and r.id = t.money_id
      order by t.id desc`;
    const panel_url = await findPanel(sql, tenant_id, platform);
    return { login: login && toPlayerCredential(login), panel_url, ...wallet, movements };
  },
} satisfies Partial<Handlers>;
