/** The encrypted part of the sample data: logins at game platforms, and credentials of payment processors. */
import { type PaymentPlatform, paymentPlatformNames } from '../../contract/constants';
import { type Secrets, secretContext } from '../auth/secrets';
import type { TransactionSql } from '../db/open';
import { tenants } from './cast';
import { rows } from './insert';
import type { DemoPlayer } from './players';
import type { Random } from './random';

interface Materials {
  players: readonly DemoPlayer[];
  secrets: Secrets;
  random: Random;
  now: Date;
}

export async function insertLogins(sql: TransactionSql, materials: Materials): Promise<void> {
  await insertAssignments(sql, materials);
  await insertPlayerLogins(sql, materials);
  await insertPaymentMethods(sql, materials);
}

async function insertAssignments(sql: TransactionSql, { secrets, random }: Materials): Promise<void> {
  const platforms = await sql<
    { id: number; name: string; platform_type: string }[]
  >`select id, name, platform_type from platforms order by id`;
  const list = tenants.flatMap((tenant) =>
    platforms.flatMap(({ id, name, platform_type }) => {
      const isAssigned = tenant.platforms.some((own) => own === name);
      if (!isAssigned && !tenant.unassigned.some((own) => own === name)) return [];
      // The system manages the credentials of API platforms.
      const login =
        platform_type === 'api' ? null : { username: `${toSlug(tenant.name)}_${name}`, password: random.code(14) };
      const encrypted = login && secrets.encrypt(login.password, secretContext.platformCredentials(tenant.id, id));
      return [
        { tenantId: tenant.id, platformId: id, isActive: isAssigned, username: login?.username ?? null, encrypted },
      ];
    }),
  );
  await sql`
    insert into tenant_platforms (tenant_id, platform_id, is_active, username, password_secret)
    select "tenantId", "platformId", "isActive", username, encrypted
    from ${rows(sql, list)} as a ("tenantId" bigint, "platformId" bigint, "isActive" boolean, username text,
      encrypted text)`;
}

async function insertPlayerLogins(sql: TransactionSql, { players, secrets, random }: Materials): Promise<void> {
  const list = players.flatMap(({ tenantId, id, email, platforms }) =>
    platforms
      .filter(() => random.chance(0.8))
      .map((platform) => ({
        tenantId,
        playerId: id,
        platform,
        username: `${email.replace(/@.*|\W/g, '').slice(0, 12)}${random.between(10, 999)}`,
        encrypted: secrets.encrypt(random.code(10), secretContext.playerCredential(tenantId, id, platform)),
        isActive: random.chance(0.95),
      })),
  );
  await sql`
    insert into player_credentials (tenant_id, player_id, platform_name, platform_username, password_secret, is_active)
    select "tenantId", "playerId", platform, username, encrypted, "isActive"
    from ${rows(sql, list)} as c ("tenantId" bigint, "playerId" bigint, platform text, username text, encrypted text,
      "isActive" boolean)`;
}

async function insertPaymentMethods(sql: TransactionSql, { secrets, random, now }: Materials): Promise<void> {
  const list = tenants.flatMap((tenant) =>
    paymentPlatformNames.flatMap((platform) => {
      const isActive = tenant.processors[platform];
      if (isActive === undefined) return [];
      const encrypted = secrets.encrypt(
        JSON.stringify(createCredentials(platform, tenant.name, random)),
        secretContext.paymentMethod(tenant.id, platform),
      );
      const webhookUrl = random.chance(0.75) ? `https://pay.${toSlug(tenant.name)}.test/hooks/${platform}` : null;
      return [{ tenantId: tenant.id, platform, isActive, webhookUrl, encrypted, daysAgo: random.between(20, 500) }];
    }),
  );
  await sql`
    insert into payment_methods (tenant_id, payment_platform, is_active, webhook_url, credentials_secret, created_at,
      updated_at)
    select "tenantId", platform, "isActive", "webhookUrl", encrypted, created_at, created_at
    from (select *, ${now}::timestamptz - make_interval(days => "daysAgo") as created_at
      from ${rows(sql, list)} as m ("tenantId" bigint, platform text, "isActive" boolean, "webhookUrl" text,
        encrypted text, "daysAgo" int)) m`;
}

function createCredentials(platform: PaymentPlatform, tenant: string, random: Random): Record<string, string> {
  const api_key = `demo_${random.code(24)}`;
  const number = String(random.between(100_000, 999_999));
  switch (platform) {
    case 'flikpay':
      return { api_key, merchant_id: `FLK${number}`, webhook_secret: random.code(32) };
    case 'apex':
      return { api_key, secret_key: random.code(40), merchant_id: `APX${number}` };
    case 'btcpay':
      return { server_url: `https://btcpay.${toSlug(tenant)}.test`, api_key, store_id: random.code(20) };
  }
}

const toSlug = (name: string) => name.toLowerCase().replace(/\W+/g, '-');
