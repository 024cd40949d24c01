/** What a person (by e-mail) chose in this browser; outlives the session (docs/product.md, "Sign-in and sessions"). */
const STORE = 'preferences';
const known = new Map<string, unknown>();

/** What was read or saved before; undefined if that was not yet. */
export const knownPreference = (person: string, name: string): unknown => known.get(toKey(person, name));

export async function readPreference(person: string, name: string): Promise<unknown> {
  const key = toKey(person, name);
  if (!known.has(key)) {
    const value = await access('readonly', (store) => store.get(key)).catch(() => undefined);
    if (!known.has(key)) known.set(key, value);
  }
  return known.get(key);
}

export async function savePreference(person: string, name: string, value: unknown): Promise<void> {
  const key = toKey(person, name);
  known.set(key, value);
  await access('readwrite', (store) => store.put(value, key)).catch(() => undefined);
}

const toKey = (person: string, name: string) => `${person} ${name}`;

const finished = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

async function access<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const opening = indexedDB.open(STORE, 1);
  opening.onupgradeneeded = () => void opening.result.createObjectStore(STORE);
  const database = await finished(opening);
  try {
    return await finished(work(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}
