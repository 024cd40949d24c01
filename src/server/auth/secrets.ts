import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { MASK } from '../../contract/constants';

/** Encrypts values that must be read again, such as credentials of platforms, players and payment methods. */
export interface Secrets {
  /** `context` names the row and is authenticated: a value that is copied into another row cannot be decrypted. */
  encrypt(text: string, context: readonly (string | number)[]): string;
  decrypt(encrypted: string, context: readonly (string | number)[]): string;
  /** The MAC of an audit entry: HMAC-SHA-256 with a key derived for that purpose. */
  mac(text: string): Buffer;
  /**
   * A pseudonym for a text that readers of the database must not guess: HMAC-SHA-256 with another derived key, as
   * base64url.
   */
  pseudonym(text: string): string;
}

/** AES-256-GCM with a 32-byte key; 'v1.nonce.tag.data', each part base64url. */
export function createSecrets(key: Buffer): Secrets {
  const derived = (purpose: string) => Buffer.from(hkdfSync('sha256', key, '', purpose, 32));
  const auditKey = derived('audit log'),
    pseudonymKey = derived('pseudonyms');
  const toBytes = (context: readonly (string | number)[]) => Buffer.from(JSON.stringify(context));
  return {
    encrypt(text, context) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(toBytes(context));
      const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return ['v1', ...[nonce, cipher.getAuthTag(), data].map((part) => part.toString('base64url'))].join('.');
    },
    decrypt(encrypted, context) {
      const [version, nonce = '', tag = '', data = ''] = encrypted.split('.');
      if (version !== 'v1') throw new Error('unknown version of an encrypted secret');
      const decode = (part: string) => Buffer.from(part, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key, decode(nonce), { authTagLength: 16 })
        .setAAD(toBytes(context))
        .setAuthTag(decode(tag));
      return Buffer.concat([decipher.update(decode(data)), decipher.final()]).toString('utf8');
    },
    mac: (text) => createHmac('sha256', auditKey).update(text).digest(),
    pseudonym: (text) => createHmac('sha256', pseudonymKey).update(text).digest('base64url'),
  };
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
  twoFactor: (adminId: number) => ['two_factor', adminId],
  webhookSecret: (tenantId: number, platform: string) => ['payment_methods', tenantId, platform, 'webhook_secret'],
};

/** A secret in an answer: its mask, or an empty text when none is stored. */
export const maskSecret = (secret: string | null | undefined): string => (secret ? MASK : '');
/** Whether a form sent back a secret unchanged. */
export const keepsSecret = (value: string | null | undefined): boolean => !value || value === MASK;
