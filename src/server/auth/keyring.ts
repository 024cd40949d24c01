/** The secret key of a database together with those it replaced. They are in the database, encrypted with it. */
import { attempt } from '../db/attempt';
import { DatabaseRefused, type Sql } from '../db/open';
import { createSecrets, type FormerKey, idOfKey, type Secrets, StaleKey } from './secrets';

/** Secrets that follow a change of the key while the server runs. */
export interface Keyring extends Secrets {
  /** After a StaleKey: reads the keys again. Returns whether the present key is another one than that of the error. */
  renew(error: StaleKey): Promise<boolean>;
}

/** The key in use and those it replaced, the first one first. */
export interface Keys {
  present: Buffer;
  former: FormerKey[];
}
interface StoredKey {
  id: string;
  sealed: string;
}

/** Opens the secrets of a database with the key in use; `readKeys` returns those that the operator has given. */
export async function openKeyring(sql: Sql, readKeys: () => Buffer[]): Promise<Keyring> {
  const load = async () => {
    const { present, former } = await findKeys(sql, readKeys());
    return createSecrets(present, former);
  };
  const keyring: Keyring = {
    ...(await load()),
    async renew(error) {
      if (keyring.keyId === error.keyId) Object.assign(keyring, await load());
      return keyring.keyId !== error.keyId;
    },
  };
  return keyring;
}

/** Runs the work of a call, and again if the key was changed meanwhile. Nothing of the first try may remain. */
export async function withPresentKey<T>(keyring: Pick<Keyring, 'renew'> | undefined, work: () => Promise<T>) {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === 3 || !(error instanceof StaleKey) || !(await keyring?.renew(error))) throw error;
    }
  }
}

/** Which of the given keys the database uses, and the former ones. For an empty database it is the first. */
export async function findKeys(sql: Sql, given: readonly Buffer[]): Promise<Keys> {
  const [first] = given;
  if (!first) throw new TypeError('no key was given');
  const [schema] = await sql<{ is_ready: boolean }[]>`select to_regclass('secret_keys') is not null as is_ready`;
  // In one statement, so that a change in between is seen in both or in neither.
  const [row] = schema?.is_ready
    ? await sql<{ key_check: string; keys: StoredKey[] | null }[]>`
        select key_check, (
          select json_agg(json_build_object('id', id, 'sealed', sealed) order by number) from secret_keys) as keys
        from installation`
    : [];
  if (!row) return { present: first, former: [] };
  const keys = row.keys ?? [];
  const present = given.find((key) => opens(key, row.key_check));
  if (!present) throw wrongKey(given, keys);
  const secrets = createSecrets(present);
  return { present, former: keys.map(({ id, sealed }) => unsealKey(secrets, id, sealed)) };
}

/** Whether a key is the one that encrypted a key check, of a database or a backup. */
export const opens = (key: Buffer, keyCheck: string): boolean =>
  attempt(() => createSecrets(key).decrypt(keyCheck, ['installation'])) !== undefined;

function wrongKey(given: readonly Buffer[], keys: readonly StoredKey[]): DatabaseRefused {
  const isFormer = given.some((key) => keys.some(({ id }) => id === idOfKey(key)));
  return new DatabaseRefused(
    isFormer
      ? 'The secret key of this database was replaced (npm run change-key). Set SECRET_KEY to the new key, ' +
          'or put the new key file into DATA_DIR.'
      : 'SECRET_KEY, or the key file in DATA_DIR, is not the key that this database was created with.',
  );
}

const context = (id: string) => ['secret_keys', id];

export const sealKey = (secrets: Secrets, { id, audit, pseudonym, ends, key }: FormerKey): string =>
  secrets.encrypt(
    JSON.stringify({
      audit: audit.toString('base64'),
      pseudonym: pseudonym.toString('base64'),
      ends,
      key: key?.toString('base64'),
    }),
    context(id),
  );

function unsealKey(secrets: Secrets, id: string, sealed: string): FormerKey {
  const { audit, pseudonym, ends, key } = JSON.parse(secrets.decrypt(sealed, context(id)));
  return {
    id,
    audit: Buffer.from(audit, 'base64'),
    pseudonym: Buffer.from(pseudonym, 'base64'),
    ends,
    key: key === undefined ? undefined : Buffer.from(key, 'base64'),
  };
}
