/**
 * Keeps the words about a player in the audit log only as long as the player exists. Names, notes and the like are
 * encrypted with the player's own key, which is dropped when the player is deleted (crypto-shredding). The MACs cover
 * the entries as they are stored, so the chain holds afterwards too.
 */

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { MASK } from '../../contract/constants';
import { type Secrets, secretContext } from '../auth/secrets';
import type { Owner } from '../core/tenancy';
import { attempt } from '../db/attempt';
import type { Sql } from '../db/open';
import type { Fields } from './changes';

/** The key of one player, stored encrypted with ours. What it encrypts can be read as long as the key exists. */
const newPlayerKey = (): Buffer => randomBytes(32);

const wrapPlayerKey = (secrets: Secrets, { tenant_id, player_id }: Owner, key: Buffer): string =>
  secrets.encrypt(key.toString('base64url'), secretContext.playerKey(tenant_id, player_id));

const unwrapPlayerKey = (secrets: Secrets, { tenant_id, player_id }: Owner, wrapped: string): Buffer =>
  Buffer.from(secrets.decrypt(wrapped, secretContext.playerKey(tenant_id, player_id)), 'base64url');

const PREFIX = 'sealed.';
const [NONCE_BYTES, TAG_BYTES] = [12, 16];

const isSealed = (value: unknown): value is string => typeof value === 'string' && value.startsWith(PREFIX);

/** AES-256-GCM: 'sealed.' and the base64url of nonce, data and tag. */
function sealText(key: Buffer, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return PREFIX + Buffer.concat([nonce, data, cipher.getAuthTag()]).toString('base64url');
}

/** Null if the text was not sealed with this key. */
const openText = (key: Buffer, sealed: string): string | null =>
  attempt(() => {
    const bytes = Buffer.from(sealed.slice(PREFIX.length), 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
  }) ?? null;

const DELETED = 'deleted';
const UNREADABLE = 'unreadable';

/** Texts that identify nobody. Any other text about a player is encrypted, also that of a field added later. */
const impersonal: readonly string[] = [
  'affiliate_id', // stays in past figures
  'attention',
  'balance',
  'method',
  'payment_method',
  'payment_reference',
  'payout_method',
  'platform',
  'platform_name',
  'status',
];
const isPersonal = (name: string, value: unknown): boolean =>
  ['string', 'object'].includes(typeof value) && value !== null && value !== MASK && !impersonal.includes(name);

/** The parts of an entry that can contain words about a player. */
interface Words {
  before: Fields | null;
  after: Fields | null;
  note: string | null;
}

export const hasPersonal = ({ before, after, note }: Words): boolean =>
  note !== null ||
  [before, after].some((fields) => Object.entries(fields ?? {}).some(([name, value]) => isPersonal(name, value)));

const replace = ({ before, after, note }: Words, by: (value: unknown) => unknown): Words => {
  const inFields = (fields: Fields | null): Fields | null =>
    fields &&
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, isPersonal(name, value) ? by(value) : value]),
    );
  return { before: inFields(before), after: inFields(after), note: note === null ? null : String(by(note)) };
};

/** Encrypts the words about a player; without a key, because the player was deleted, it drops them. */
export const sealWords = (words: Words, key: Buffer | null): Words =>
  replace(words, (value) => (key ? sealText(key, JSON.stringify(value)) : DELETED));

/** Filters that people type freely, names and e-mails of players among them. */
const typedFilters: readonly string[] = ['search', 'text'];

/** The filters of an export for its entry: typed text can name a player, so a pseudonym of it takes its place. */
export const hideTypedFilters = (secrets: Secrets, filters: object): object =>
  Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [
      name,
      typedFilters.includes(name) && value ? `pseudonym ${secrets.pseudonym(String(value)).slice(0, 16)}` : value,
    ]),
  );

/** A row of player_keys, if there is one. */
export interface KeyRow {
  has_key: boolean;
  player_key: string | null;
}

/** A player's key, made with the first entry that needs one; null if deleted. With the shard locked: no deadlock. */
export async function requirePlayerKey(sql: Sql, secrets: Secrets, owner: Owner, { has_key, player_key }: KeyRow) {
  if (has_key) return player_key === null ? null : unwrapPlayerKey(secrets, owner, player_key);
  const key = newPlayerKey();
  const [made] = await sql`
    insert into player_keys ${sql({ ...owner, sealed: wrapPlayerKey(secrets, owner, key) })}
    on conflict do nothing returning 1`;
  if (made) return key;
  // A parallel transaction created it. A new statement sees it.
  const [other] = await sql<{ sealed: string | null }[]>`
    select sealed from player_keys where tenant_id = ${owner.tenant_id} and player_id = ${owner.player_id}`;
  return other?.sealed ? unwrapPlayerKey(secrets, owner, other.sealed) : null;
}

/** Drops the key of a deleted player for good: no new one is ever created. */
export async function dropPlayerKey(sql: Sql, owner: Owner): Promise<void> {
  await sql`
    insert into player_keys ${sql({ ...owner, sealed: null })}
    on conflict (tenant_id, player_id) do update set sealed = null`;
}

/** An entry as it is stored, with the key of its player. */
export interface StoredEntry extends Words {
  tenant_id: number | null;
  player_id: number | null;
  player_key: string | null;
  is_gone: boolean;
}

/** Entries with readable words; of deleted players 'deleted', also in entries that an older version wrote in clear. */
export function openWords<E extends StoredEntry>(secrets: Secrets, entries: readonly E[]): E[] {
  const keys = new Map<string, Buffer>();
  return entries.map((entry) => {
    const { tenant_id, player_id, player_key, is_gone } = entry;
    if (tenant_id === null || player_id === null) return entry;
    const key =
      player_key === null
        ? null
        : (keys.get(player_key) ?? unwrapPlayerKey(secrets, { tenant_id, player_id }, player_key));
    if (key && player_key) keys.set(player_key, key);
    const { before, after, note } = replace(entry, (value) => {
      if (is_gone) return DELETED;
      if (!isSealed(value)) return value;
      const text = key && openText(key, value);
      return text === null ? UNREADABLE : JSON.parse(text);
    });
    return { ...entry, before, after, note };
  });
}
