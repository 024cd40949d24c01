import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { MASK } from '../../contract/constants';

type Context = readonly (string | number)[];
/** Where an entry stands in the audit log. */
export interface AuditPlace {
  lane: number;
  position: number;
}

/** What is kept of a key that was replaced; the database has it encrypted with the present key. */
export interface FormerKey {
  id: string;
  audit: Buffer;
  pseudonym: Buffer;
  /** The last position in each shard of the audit log that has a MAC of this key. */
  ends: readonly number[];
  /** The key itself, only until every value is encrypted with the present key. */
  key?: Buffer | undefined;
}

/** A key is missing that is in use, so it was changed since this process read it, or somebody tampered. */
export class StaleKey extends Error {
  override name = 'StaleKey';
  readonly keyId: string;
  constructor(keyId: string, message: string) {
    super(message);
    this.keyId = keyId;
  }
}

const derive = (key: Buffer, purpose: string) => Buffer.from(hkdfSync('sha256', key, '', purpose, 32));
const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** A name for the key that tells nothing about it. */
export const idOfKey = (key: Buffer): string => derive(key, 'key id').subarray(0, 6).toString('base64url');

/** The former key as it is kept when a change begins. */
export const toFormerKey = (key: Buffer, ends: readonly number[]): FormerKey => ({
  id: idOfKey(key),
  audit: derive(key, 'audit log'),
  pseudonym: derive(key, 'pseudonyms'),
  ends,
  key,
});

const VERSION = 'v2';
/** How each value begins that this key has encrypted. */
export const prefixOf = (keyId: string): string => `${VERSION}.${keyId}.`;

/**
 * Encrypts values that must be read again, such as credentials of platforms, players and payment methods: AES-256-GCM
 * with a 32-byte key; 'v2.key id.nonce.tag.data', each part base64url. Values of version 1 have no key id. `former` are
 * the keys that were replaced, the first one first.
 */
export function createSecrets(key: Buffer, former: readonly FormerKey[] = []) {
  const keyId = idOfKey(key),
    auditKey = derive(key, 'audit log'),
    manifestKey = derive(key, 'backup manifest');
  const pseudonymKey = former[0]?.pseudonym ?? derive(key, 'pseudonyms');
  const replacing = former.filter((each) => each.key !== undefined);
  const findKeys = (version: string | undefined, id: string | undefined): Buffer[] => {
    const old = replacing.flatMap((each) => (version === VERSION && each.id !== id ? [] : (each.key ?? [])));
    return version === 'v1' ? [key, ...old] : id === keyId ? [key] : old;
  };
  return {
    /** The id of the key that encrypts; every encrypted value names it. */
    keyId,
    /** Whether a change of the key has begun and not ended: some values may still be encrypted with the former key. */
    isChanging: replacing.length > 0,
    /** `context` names the row and is authenticated: a value that is copied into another row cannot be decrypted. */
    encrypt(text: string, context: Context): string {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(toBytes(context));
      const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return prefixOf(keyId) + [nonce, cipher.getAuthTag(), data].map((part) => part.toString('base64url')).join('.');
    },
    /** Throws a StaleKey for a value that a key encrypted which we do not have. */
    decrypt(encrypted: string, context: Context): string {
      const [version, ...parts] = encrypted.split('.');
      if (version !== VERSION && version !== 'v1') throw new Error('unknown version of an encrypted secret');
      const id = version === VERSION ? parts.shift() : undefined;
      const keys = findKeys(version, id);
      if (!keys.length) throw new StaleKey(keyId, 'a secret is encrypted with another key than the present one');
      return decryptWith(keys, parts, context);
    },
    /** HMAC-SHA-256 with the key of the audit log; at the `place` of an entry, that of when it was written. */
    mac(text: string, place?: AuditPlace): Buffer {
      const before = place && former.find(({ ends }) => place.position <= (ends[place.lane] ?? 0));
      return hmac(before?.audit ?? auditKey, text);
    },
    /** Whether a stored MAC is right. While the key is being changed, the MAC of the former key is too. */
    isMac: (text: string, mac: Buffer): boolean =>
      [auditKey, ...replacing.map(({ audit }) => audit)].some((each) => isEqual(hmac(each, text), mac)),
    /** A MAC that stays the same when the key is changed, because what it was computed from is not kept. */
    fingerprint: (text: string): Buffer => hmac(former[0]?.audit ?? auditKey, text),
    /** HMAC-SHA-256 as base64url, for a text that nobody must guess; it stays when the key is changed. */
    pseudonym: (text: string): string => hmac(pseudonymKey, text).toString('base64url'),
    manifestMac: (text: string): string => hmac(manifestKey, text).toString('base64url'),
  };
}
export type Secrets = ReturnType<typeof createSecrets>;

const toBytes = (context: Context) => Buffer.from(JSON.stringify(context));
const isEqual = (a: Buffer, b: Buffer) => a.length === b.length && timingSafeEqual(a, b);

function decryptWith([key, ...others]: readonly Buffer[], parts: readonly string[], context: Context): string {
  const [nonce = '', tag = '', data = ''] = parts;
  const decode = (part: string) => Buffer.from(part, 'base64url');
  try {
    const decipher = createDecipheriv('aes-256-gcm', key ?? '', decode(nonce), { authTagLength: 16 })
      .setAAD(toBytes(context))
      .setAuthTag(decode(tag));
    return Buffer.concat([decipher.update(decode(data)), decipher.final()]).toString('utf8');
  } catch (error) {
    if (!others.length) throw error;
    return decryptWith(others, parts, context);
  }
}

/** The context of each kind of secret: the table and the key of its row. */
export const secretContext = {
  platformCredentials: (tenantId: number, platformId: number) => ['tenant_platforms', tenantId, platformId],
  playerCredential: (tenantId: number, playerId: number, platformName: string) => [
    'player_credentials',
    tenantId,
    playerId,
    platformName,
  ],
  paymentMethod: (tenantId: number, platform: string) => ['payment_methods', tenantId, platform],
  playerKey: (tenantId: number, playerId: number) => ['player_keys', tenantId, playerId],
  twoFactor: (adminId: number) => ['two_factor', adminId],
  identityProvider: (tenantId: number) => ['identity_providers', tenantId],
  webhookSecret: (tenantId: number, platform: string) => ['payment_methods', tenantId, platform, 'webhook_secret'],
  notificationChannel: (tenantId: number, id: number) => ['notification_channels', tenantId, id],
};

/** 256 random bits. Of a token only its hash is stored: with so many bits a fast one is as good as a slow one. */
export const newToken = (): string => randomBytes(32).toString('base64url');
export const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');

/** A secret in an answer: its mask, or an empty text when none is stored. */
export const maskSecret = (secret: string | null | undefined): string => (secret ? MASK : '');
/** Whether a form sent back a secret unchanged. */
export const keepsSecret = (value: string | null | undefined): boolean => !value || value === MASK;
