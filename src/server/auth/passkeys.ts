/** Passkeys (WebAuthn): two factors in one, because each verifies its owner, and good at the app's address alone. */

import { randomBytes } from 'node:crypto';
import type { NewPasskey, PasskeyAnswer } from '../../contract/entities';
import { Problem } from '../core/problem';
import { attempt } from '../db/attempt';
import type { Sql } from '../db/open';
import type { AccountRow, Caller } from './caller';
import { isLinked } from './onlySso';
import { sha256 } from './secrets';

const CHALLENGE_MINUTES = 5;
/** ES256, RS256 and EdDSA. */
const ALGORITHMS = [-7, -257, -8];

/** For whom a passkey is made: the domain, and the one origin where it may be used. */
export interface RelyingParty {
  id: string;
  origin: string;
}

export function requirePasskeys({ passkeys }: { passkeys?: RelyingParty | undefined }): RelyingParty {
  if (!passkeys) throw new Problem(409, 'This server offers no passkeys');
  return passkeys;
}

const toBytes = (text: string) => Buffer.from(text, 'base64url');
/** What a passkey keeps of its owner. */
export const userHandle = (adminId: number): string => Buffer.from(`admin ${adminId}`).toString('base64url');

export class Refusal extends Error {
  override name = 'Refusal';
}
/** The same whatever was wrong: only the log says what. */
export const notAccepted = () =>
  new Problem(401, 'This passkey was not accepted. Try again, or sign in with your password');

const ANOTHER = 'The passkey is of another account';
/** How each error of the library begins, in our words: what follows is what was sent. */
const causes: readonly (readonly [RegExp, string])[] = [
  [/^Unexpected \w+ response type/, 'The passkey has answered another question'],
  [/^Unexpected \w+ response origin/, 'The passkey was used at another address than that of the app'],
  [/^Unexpected RP ID/, 'The passkey is for another domain'],
  [/^User (not|presence|verification)/, 'The passkey has not verified its owner'],
  [/^Response counter/, 'The passkey has counted fewer uses than before, so it may have been copied'],
];
function refuse({ message }: Error): never {
  throw new Refusal(causes.find(([start]) => start.test(message))?.[1] ?? 'The answer of the passkey cannot be read');
}

/** A new challenge; for one account it is good while the password is the one that was checked. */
export async function newChallenge(
  sql: Sql,
  purpose: 'add' | 'sign-in',
  account?: { id: number; password_hash: string },
): Promise<string> {
  const challenge = randomBytes(32);
  await sql`
    insert into passkey_challenges (challenge, purpose, admin_id, password_digest)
    values (${challenge}, ${purpose}, ${account?.id ?? null}, ${account ? sha256(account.password_hash) : null})`;
  return challenge.toString('base64url');
}

/** What was signed, as text; '' when it cannot be read. */
const readChallenge = (clientData: string): string =>
  attempt(() => String(JSON.parse(toBytes(clientData).toString()).challenge)) ?? '';

/** Uses up the challenge that was signed, whatever comes of it. */
async function takeChallenge(sql: Sql, purpose: 'add' | 'sign-in', clientData: string) {
  const challenge = toBytes(readChallenge(clientData));
  // a statement of its own: Citus answers nothing from a delete that needs the time
  const [fresh] = await sql`
    select 1 as one from passkey_challenges
    where challenge = ${challenge} and created_at > now() - make_interval(mins => ${CHALLENGE_MINUTES})`;
  const [taken] = await sql<{ purpose: string; admin_id: number | null; password_digest: Buffer | null }[]>`
    delete from passkey_challenges where challenge = ${challenge} returning purpose, admin_id, password_digest`;
  if (!fresh || !taken)
    throw new Refusal(`The challenge is unknown, was used before or is older than ${CHALLENGE_MINUTES} minutes`);
  if (taken.purpose !== purpose) throw new Refusal('The challenge was given for something else');
  return taken;
}

/** Refuses if the account has another password than when the challenge was given. */
function requireSamePassword(digest: Buffer | null, hash: string): void {
  if (digest && !sha256(hash).equals(digest)) throw new Refusal('The password was changed meanwhile');
}

/** The account of a passkey, if there is one. */
export async function findOwner(sql: Sql, credentialId: string): Promise<number | undefined> {
  const [passkey] = await sql<{ admin_id: number }[]>`
    select admin_id from passkeys where credential_id = ${toBytes(credentialId)}`;
  return passkey?.admin_id;
}

export async function listCredentialIds(sql: Sql, adminId: number): Promise<string[]> {
  const rows = await sql<{ credential_id: Buffer }[]>`
    select credential_id from passkeys where admin_id = ${adminId} order by id`;
  return rows.map(({ credential_id }) => credential_id.toString('base64url'));
}

/** A session of a password alone may not get around an account's passkeys or identity provider: it may be stolen. */
export async function refusePasswordAlone(sql: Sql, { admin_id, must_set_up }: Caller): Promise<void> {
  if (!must_set_up) return;
  if ((await listCredentialIds(sql, admin_id)).length) throw new Problem(409, 'Sign in with your passkey first');
  const linked = await sql`select a.id from admins a where a.id = ${admin_id} and ${isLinked(sql)}`;
  if (linked.length) throw new Problem(409, 'Sign in by single sign-on first');
}

/** A passkey whose signature was right; its use is noted with the start of the session. */
export interface UsedPasskey {
  id: number;
  counter: number;
  backed_up: boolean;
}
type Owner = Pick<AccountRow, 'id' | 'is_active' | 'password_hash'>;

/** Checks what a passkey has signed to sign its owner in; throws a `Refusal`. */
export async function checkPasskey(sql: Sql, party: RelyingParty, owner: Owner | undefined, sent: PasskeyAnswer) {
  const { admin_id, password_digest } = await takeChallenge(sql, 'sign-in', sent.client_data);
  const [passkey] = await sql<{ id: number; public_key: Buffer; counter: number }[]>`
    select id, public_key, counter from passkeys
    where credential_id = ${toBytes(sent.credential_id)} and admin_id = ${owner?.id ?? 0}`;
  if (!owner || !passkey) throw new Refusal('The passkey is unknown or was removed');
  if (admin_id !== null && admin_id !== owner.id) throw new Refusal(ANOTHER);
  if (sent.user_handle && sent.user_handle !== userHandle(owner.id)) throw new Refusal(ANOTHER);
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
    response: {
      id: sent.credential_id,
      rawId: sent.credential_id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: sent.client_data,
        authenticatorData: sent.authenticator_data,
        signature: sent.signature,
      },
    },
    expectedChallenge: readChallenge(sent.client_data),
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: {
      id: sent.credential_id,
      publicKey: new Uint8Array(passkey.public_key),
      counter: Number(passkey.counter),
    },
  }).catch(refuse);
  if (!verified) throw new Refusal('The signature is wrong');
  requireSamePassword(password_digest, owner.password_hash);
  if (!owner.is_active) throw new Refusal('The account is disabled');
  return { id: passkey.id, counter: info.newCounter, backed_up: info.credentialBackedUp };
}

/** In the transaction of the session that it starts: false if the passkey was removed or used meanwhile. */
export async function notePasskeyUse(sql: Sql, adminId: number, { id, counter, backed_up }: UsedPasskey) {
  return sql`
    update passkeys set counter = ${counter}, backed_up = ${backed_up}, last_used_at = now()
    where id = ${id} and admin_id = ${adminId} and (counter < ${counter} or (counter = 0 and ${counter} = 0))
    returning id`.hasRow();
}

/** Checks what a new passkey has signed; throws a `Refusal`. Who made the passkey is not asked. */
export async function checkNewPasskey(sql: Sql, party: RelyingParty, owner: Owner, sent: NewPasskey) {
  const { admin_id, password_digest } = await takeChallenge(sql, 'add', sent.client_data);
  if (admin_id !== owner.id) throw new Refusal(ANOTHER);
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { isoCBOR, isoBase64URL } = await import('@simplewebauthn/server/helpers');
  // Put together here, so that no certificate of the sender is ever read, nor an address in it asked.
  const attested = isoCBOR.encode(
    new Map<string, string | Uint8Array | Map<string, string>>([
      ['fmt', 'none'],
      ['attStmt', new Map<string, string>()],
      ['authData', new Uint8Array(toBytes(sent.authenticator_data))],
    ]),
  );
  const { registrationInfo: info } = await verifyRegistrationResponse({
    response: {
      id: 'new',
      rawId: 'new',
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON: sent.client_data, attestationObject: isoBase64URL.fromBuffer(attested) },
    },
    expectedChallenge: readChallenge(sent.client_data),
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(refuse);
  if (!info) throw new Refusal('The answer of the passkey cannot be read');
  requireSamePassword(password_digest, owner.password_hash);
  const { id, publicKey, counter } = info.credential;
  return {
    credential_id: toBytes(id),
    public_key: Buffer.from(publicKey),
    counter,
    backed_up: info.credentialBackedUp,
  };
}

/** Removes all passkeys of an account, and returns their names for the audit log. */
export async function removePasskeys(sql: Sql, adminId: number): Promise<{ removed_passkeys?: string[] }> {
  const removed = await sql<{ name: string }[]>`delete from passkeys where admin_id = ${adminId} returning name`;
  return removed.length ? { removed_passkeys: removed.map(({ name }) => name) } : {};
}
