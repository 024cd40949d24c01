/** Two-factor sign-in for tests: turned on without the slow hashing of the calls, and codes as an app shows them. */
import { Secret, TOTP } from 'otpauth';
import { hashWithSalt } from '../src/server/auth/passwords';
import { secretContext } from '../src/server/auth/secrets';
import { newSecret } from '../src/server/auth/twoFactor';
import { guest, PASSWORD, type Person, people, services, sql } from './world';

export const RECOVERY_CODE = '1234-5678-9012-3456',
  SECOND_RECOVERY_CODE = '6543-2109-8765-4321';

/**
 * The code that the app shows now, or some time steps later. The server takes it in the next step too, if the clock
 * ticks.
 */
export const currentCode = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

const salt = Buffer.from('sixteen bytes ok');
let hashes: Promise<Buffer[]> | undefined;

/** Turns it on, with two recovery codes; answers the secret. */
export async function withFactor(person: Person): Promise<string> {
  hashes ??= Promise.all(
    [RECOVERY_CODE, SECOND_RECOVERY_CODE].map((code) => hashWithSalt(code.replaceAll('-', ''), salt)),
  );
  const secret = newSecret(),
    { id } = people[person];
  const encrypted = services.secrets.encrypt(secret, secretContext.twoFactor(id));
  await sql`
    insert into two_factor (admin_id, secret, confirmed_at, recovery_salt)
    values (${id}, ${encrypted}, now(), ${salt})`;
  for (const code_hash of await hashes)
    await sql`insert into recovery_codes (admin_id, code_hash) values (${id}, ${code_hash})`;
  return secret;
}

/** As if the last code had been taken long ago, so that the present one counts again. */
export const forgetCodes = async (): Promise<void> => {
  await sql`update two_factor set last_step = 0`;
};

export const login = (person: Person, code?: string, password: string = PASSWORD) =>
  guest.login({ body: { email: people[person].email, password, ...(code !== undefined && { code }) } });
export const loginToTenant = (person: Person, code?: string) =>
  guest.loginToTenant({
    tenant_id: people[person].tenant_id,
    body: { email: people[person].email, password: PASSWORD, ...(code !== undefined && { code }) },
  });
