/** An authenticator in software: makes passkeys of ES256 and signs with them, rightly or not. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { Api } from '../src/app/api/client';
import type { NewPasskeyChallenge, PasskeyAnswer, PasskeyChallenge } from '../src/contract/entities';
import { guest, PASSWORD } from './world';

export const PARTY = { id: 'office.test', origin: 'https://office.test' };

/** What is changed of a right answer. */
export interface Spoiled {
  origin?: string;
  rpId?: string;
  type?: string;
  challenge?: string;
  counter?: number;
  /** Not with a PIN or a finger. */
  isUnverified?: boolean;
  isUnsigned?: boolean;
  user_handle?: string | null;
}
const PRESENT = 1,
  VERIFIED = 4,
  SYNCED = 24,
  HAS_KEY = 64;
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const text = (bytes: Buffer) => bytes.toString('base64url');
const clientData = (type: string, challenge: string, spoiled: Spoiled) =>
  Buffer.from(
    JSON.stringify({
      type: spoiled.type ?? type,
      challenge: spoiled.challenge ?? challenge,
      origin: spoiled.origin ?? PARTY.origin,
    }),
  );
function authenticatorData(flags: number, spoiled: Spoiled, counter: number): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(spoiled.counter ?? counter);
  const shown = spoiled.isUnverified ? flags & ~VERIFIED : flags;
  return Buffer.concat([sha256(spoiled.rpId ?? PARTY.id), Buffer.from([shown]), count]);
}

/** A passkey of its own; `counts`: it counts its uses, as security keys do. */
export function newPasskey({ counts = false, isSynced = false } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(20);
  const flags = PRESENT | VERIFIED | (isSynced ? SYNCED : 0);
  let counter = 0,
    owner: string | null = null;
  // A map of COSE: key type 2, algorithm -7, curve 1, x and y.
  const key = Buffer.concat([
    Buffer.from('a50102032620012158 20'.replace(' ', ''), 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ]);
  return {
    id: text(id),
    make(asked: NewPasskeyChallenge, spoiled: Spoiled = {}) {
      owner = asked.user_id;
      const data = [authenticatorData(flags | HAS_KEY, spoiled, counter), Buffer.alloc(16), Buffer.from([0, 20]), id];
      return {
        client_data: text(clientData('webauthn.create', asked.challenge, spoiled)),
        authenticator_data: text(Buffer.concat([...data, key])),
      };
    },
    sign(asked: PasskeyChallenge, spoiled: Spoiled = {}): PasskeyAnswer {
      if (counts) counter++;
      const client = clientData('webauthn.get', asked.challenge, spoiled),
        data = authenticatorData(flags, spoiled, counter);
      const signed = Buffer.concat([data, sha256(spoiled.isUnsigned ? 'another text' : client)]);
      return {
        credential_id: text(id),
        client_data: text(client),
        authenticator_data: text(data),
        signature: text(sign('sha256', signed, privateKey)),
        user_handle: spoiled.user_handle === undefined ? owner : spoiled.user_handle,
      };
    },
  };
}
export type SoftPasskey = ReturnType<typeof newPasskey>;

/** Adds a new one to the account of the API. */
export async function addPasskey(
  api: Api,
  { name = 'Laptop', code, ...how }: { name?: string; code?: string; counts?: boolean; isSynced?: boolean } = {},
): Promise<SoftPasskey> {
  const passkey = newPasskey(how);
  const asked = await api.beginNewPasskey({ body: { password: PASSWORD, ...(code && { code }) } });
  await api.addPasskey({ body: { name, ...passkey.make(asked) } });
  return passkey;
}

/** Signs in with it alone. */
export const signInWith = async (passkey: SoftPasskey, spoiled: Spoiled = {}, api: Api = guest) =>
  api.finishPasskey({ body: passkey.sign(await api.beginPasskey({ body: {} }), spoiled) });
