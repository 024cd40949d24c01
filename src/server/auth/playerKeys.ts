/**
 * The key of one player. What it encrypts can be read as long as the key exists, and by nobody once the key is deleted.
 * It is stored encrypted with the server's key.
 */

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { attempt } from '../db/attempt';
import { type Secrets, secretContext } from './secrets';

export interface KeyOwner {
  tenant_id: number;
  player_id: number;
}

export const newPlayerKey = (): Buffer => randomBytes(32);

export const wrapPlayerKey = (secrets: Secrets, { tenant_id, player_id }: KeyOwner, key: Buffer): string =>
  secrets.encrypt(key.toString('base64url'), secretContext.playerKey(tenant_id, player_id));

export const unwrapPlayerKey = (secrets: Secrets, { tenant_id, player_id }: KeyOwner, wrapped: string): Buffer =>
  Buffer.from(secrets.decrypt(wrapped, secretContext.playerKey(tenant_id, player_id)), 'base64url');

const PREFIX = 'sealed.';
const [NONCE_BYTES, TAG_BYTES] = [12, 16];

export const isSealed = (value: unknown): value is string => typeof value === 'string' && value.startsWith(PREFIX);

/** AES-256-GCM: 'sealed.' and the base64url of nonce, data and tag. */
export function sealText(key: Buffer, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return PREFIX + Buffer.concat([nonce, data, cipher.getAuthTag()]).toString('base64url');
}

/** Null if the text was not sealed with this key. */
export const openText = (key: Buffer, sealed: string): string | null =>
  attempt(() => {
    const bytes = Buffer.from(sealed.slice(PREFIX.length), 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
  }) ?? null;
