/** The encrypted part of the sample data: logins at game platforms, and credentials of payment processors. */
import { type PaymentPlatform, paymentPlatformNames } from '../../contract/platforms';
import { type Secrets, secretContext } from '../auth/secrets';
import type { TransactionSql } from '../db/open';
import { tenants } from './cast';
import { daysBefore, insertRows } from './insert';
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
  const platforms = await sql<{ id: number; name: string; platform_type: string }[]>`
    select id, name, platform_type from platforms order by id`;
  const list = tenants.flatMap((tenant) =>
    platforms.flatMap(({ id, name, platform_type }) => {
      const isAssigned = tenant.platforms.some((own) => own === name);
      if (!isAssigned && !tenant.unassigned.some((own) => own === name)) return [];
      // The system manages the credentials of API platforms.
      const login =
        platform_type === 'api' ? null : { username: `${toSlug(tenant.name)}_${name}`, password: random.code(14) };
      const encrypted = login && secrets.encrypt(login.password, secretContext.platformCredentials(tenant.id, id));
      const username = login?.username ?? null;
      const kept = { username, password_secret: encrypted, panel_url: `https://${name}.test/${toSlug(tenant.name)}` };
      return [{ tenant_id: tenant.id, platform_id: id, is_active: isAssigned, ...kept }];
    }),
  );
  await insertRows(sql, 'tenant_platforms', list);
}

async function insertPlayerLogins(sql: TransactionSql, { players, secrets, random }: Materials): Promise<void> {
  const list = players.flatMap(({ tenant_id, id, email, platforms }) =>
    platforms
      .filter(() => random.chance(0.8))
      .map((platform) => ({
        tenant_id,
        player_id: id,
        platform_name: platform,
        platform_username: `${email.replace(/@.*|\W/g, '').slice(0, 12)}${random.between(10, 999)}`,
        password_secret: secrets.encrypt(random.code(10), secretContext.playerCredential(tenant_id, id, platform)),
        is_active: random.chance(0.95),
      })),
  );
  await insertRows(sql, 'player_credentials', list);
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
      const webhook_url = random.chance(0.75) ? `https://pay.${toSlug(tenant.name)}.test/hooks/${platform}` : null;
      const created_at = daysBefore(now, random.between(20, 500));
      return [
        {
          tenant_id: tenant.id,
          payment_platform: platform,
          is_active: isActive,
          webhook_url,
          credentials_secret: encrypted,
          created_at,
          updated_at: created_at,
        },
      ];
    }),
  );
  await insertRows(sql, 'payment_methods', list);
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
