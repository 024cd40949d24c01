import { LIST_MAX } from '../../contract/constants';
import type { PlayerCredential } from '../../contract/entities';
import { keepsSecret, maskSecret, secretContext } from '../auth/secrets';
import type { Handlers } from '../core/context';
import { notFound } from '../core/problem';
import { findPlayer, tenantScope } from '../core/tenancy';

interface CredentialRow extends Omit<PlayerCredential, 'platform_password'> {
  tenant_id: number;
  player_id: number;
  password_secret: string;
}

const toPlayerCredential = ({
  id,
  platform_name,
  platform_username,
  password_secret,
  is_active,
}: CredentialRow): PlayerCredential => ({
  id,
  platform_name,
  platform_username,
  platform_password: maskSecret(password_secret),
  is_active,
});

export const playerCredentials = {
  async listPlayerCredentials({ sql, caller, params }) {
    const { tenant_id } = await findPlayer(sql, tenantScope(caller), params.id);
    const rows = await sql<CredentialRow[]>`
      select * from player_credentials
      where tenant_id = ${tenant_id} and player_id = ${params.id}
      order by platform_name limit ${LIST_MAX}`;
    return rows.map(toPlayerCredential);
  },

  /** Fields that are left out stay; so does an empty or masked password. */
  async updatePlayerCredential({ sql, caller, params, body, services, audit }) {
    const { tenant_id } = await findPlayer(sql, tenantScope(caller), params.user_id);
    const [stored] = await sql<CredentialRow[]>`
      select * from player_credentials
      where tenant_id = ${tenant_id} and player_id = ${params.user_id} and id = ${params.credential_id} for update`;
    if (!stored) throw notFound('Platform credential');
    const password = body.platform_password;
    const changed = {
      ...stored,
      platform_username: body.platform_username ?? stored.platform_username,
      password_secret:
        !password || keepsSecret(password)
          ? stored.password_secret
          : services.secrets.encrypt(
              password,
              secretContext.playerCredential(tenant_id, stored.player_id, stored.platform_name),
            ),
    };
    await sql`
      update player_credentials set platform_username = ${changed.platform_username},
        password_secret = ${changed.password_secret}, updated_at = now()
      where tenant_id = ${tenant_id} and id = ${stored.id}`;
    audit.about({
      kind: 'player login',
      id: stored.id,
      tenant_id,
      player_id: stored.player_id,
      before: stored,
      after: changed,
    });
    return toPlayerCredential(changed);
  },
} satisfies Partial<Handlers>;
