/** The second factor: codes of an authenticator app (TOTP, RFC 6238) or ten recovery codes, each good once. */
import { randomBytes, randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { encode } from 'uqr';
import type { TwoFactorSetup } from '../../contract/entities';
import type { Turn } from '../core/fairQueue';
import { Problem } from '../core/problem';
import type { Fragment, Sql } from '../db/open';
import { hashWithSalt } from './passwords';
import { type Secrets, secretContext } from './secrets';

/** The parameters that every authenticator app supports: SHA-1, six digits, a new code every 30 seconds. */
const PERIOD = 30,
  DIGITS = 6,
  SECRET_BYTES = 20;
/** A code is accepted this many time steps after its own, because typing and slow clocks take time; never before. */
const LATE_STEPS = 1;
const RECOVERY_CODES = 10,
  RECOVERY_DIGITS = 16;
/** A set-up ends when nobody confirms it in this time. */
export const SETUP_MINUTES = 10;
/** The name under which an authenticator app lists the account. */
const ISSUER = 'Gaming Management';
/** The white border around a QR code, which scanners need. */
const QUIET_SQUARES = 4;

const createTotp = (secret: string, label = '') =>
  new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret), period: PERIOD, digits: DIGITS });

export const newSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** The time step of a code at `at` (ms) or shortly before; null, after as long, when it matches none. */
export function findTimeStep(secret: string, code: string, at = Date.now(), late = LATE_STEPS): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const totp = createTotp(secret),
    step = TOTP.counter({ period: PERIOD, timestamp: at });
  const steps = Array.from({ length: late + 1 }, (_, n) => step - n).filter(
    (each) => totp.validate({ token: code, timestamp: each * PERIOD * 1000, window: 0 }) !== null,
  );
  return steps[0] ?? null;
}

export function buildTwoFactorSetup(secret: string, email: string): TwoFactorSetup {
  const uri = createTotp(secret, email).toString();
  const { size, data } = encode(uri, { ecc: 'M', border: QUIET_SQUARES });
  const runs = data.flatMap((row, y) => {
    const squares = row.map((dark) => (dark ? '#' : ' ')).join('');
    return Array.from(squares.matchAll(/#+/g), ({ index, 0: run }) => `M${index} ${y}.5h${run.length}`);
  });
  return { secret, uri, qr: { size, path: runs.join('') } };
}

/** New recovery codes with the hashes to store. They consist of digits, which numeric keyboards can type. */
export async function newRecoveryCodes(turn: Turn): Promise<{ codes: string[]; salt: Buffer; hashes: Buffer[] }> {
  const salt = randomBytes(16),
    codes = Array.from({ length: RECOVERY_CODES }, () =>
      Array.from({ length: RECOVERY_DIGITS }, () => randomInt(10)).join(''),
    );
  const hashes: Buffer[] = [];
  for (const code of codes) hashes.push(await hashWithSalt(code, salt, turn));
  return { codes: codes.map((code) => code.replace(/\d{4}(?=\d)/g, '$&-')), salt, hashes };
}

/** A verified code of the account, whether or not it has been used. */
export type Proof = { step: number } | { recovery: Buffer };

/** The form in which a session stores it. */
export const formatProof = (proof: Proof): string =>
  'step' in proof ? `step ${proof.step}` : `recovery ${proof.recovery.toString('hex')}`;

/** The proof of a single sign-on: the identity provider vouches for the person. When it has asked them may follow. */
export const SSO = 'sso',
  SSO_ASKED = 'sso, asked';

/** A query condition: the session `s` began by it, and the provider does what a second factor is for. */
export const isBySso = (sql: Sql) => sql`coalesce(starts_with(s.proof, ${SSO}), false)`;

/** The second factor of a sign-in, for the audit log. */
export function describeProof(proof: string | null) {
  if (proof === null) return 'none';
  if (proof.startsWith(SSO)) return 'identity provider';
  return proof.startsWith('step') ? 'code' : proof.startsWith('passkey') ? 'passkey' : 'recovery code';
}

/** A query condition: the account has two-factor sign-in turned on. */
export const hasTwoFactor = (sql: Sql, adminId: Fragment) =>
  sql`exists (select 1 from two_factor f where f.admin_id = ${adminId} and f.confirmed_at is not null)`;

/** Verifies a code as typed; blanks and hyphens are ignored. null when it is wrong, or two-factor sign-in is off. */
export async function checkCode(
  sql: Sql,
  secrets: Secrets,
  adminId: number,
  typed: string,
  turn: Turn,
  late = LATE_STEPS,
): Promise<Proof | null> {
  const code = typed.replace(/[\s-]/g, '');
  const [factor] = await sql<{ secret: string; recovery_salt: Buffer }[]>`
    select secret, recovery_salt from two_factor where admin_id = ${adminId} and confirmed_at is not null`;
  if (!factor || !/^\d+$/.test(code)) return null;
  if (code.length === RECOVERY_DIGITS) return { recovery: await hashWithSalt(code, factor.recovery_salt, turn) };
  const step = findTimeStep(secrets.decrypt(factor.secret, secretContext.twoFactor(adminId)), code, Date.now(), late);
  return step === null ? null : { step };
}

/** Uses up a code. If it is sent several times, even in parallel, exactly one request succeeds. */
export async function consumeProof(sql: Sql, adminId: number, proof: Proof): Promise<boolean> {
  const taken =
    'step' in proof
      ? sql`
          update two_factor set last_step = ${proof.step}
          where admin_id = ${adminId} and confirmed_at is not null and last_step < ${proof.step} returning admin_id`
      : sql`
          delete from recovery_codes where admin_id = ${adminId} and code_hash = ${proof.recovery} returning admin_id`;
  return taken.hasRow();
}

/** Makes the app ask for a code; sent only after the right password. */
export const CODE_ASKED = 'Enter the code from your authenticator app, or a recovery code';
export const CODE_WRONG = 'That code is wrong or has been used. Enter the next one, or a recovery code';
export const twoFactorProblem = (detail: string) => new Problem(401, detail, undefined, 'second_factor');
