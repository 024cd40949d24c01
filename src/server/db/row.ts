/** A record of the contract as the driver returns it: timestamps are dates. */
export type DbRow<T> = T extends readonly (infer Item)[]
  ? readonly DbRow<Item>[]
  : T extends object
    ? { [K in keyof T]: K extends `${string}_${'at' | 'until'}` ? T[K] | Date : DbRow<T[K]> }
    : T;

/** What was sent, without the fields that were left out: an update leaves their columns as they are. */
export const definedFields = <T extends object>(fields: T): Record<string, Exclude<T[keyof T], undefined>> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** The row of a statement that always returns one, such as a count or an `insert … returning`. */
export async function onlyRow<T>(rows: readonly T[] | PromiseLike<readonly T[]>): Promise<T> {
  const [row] = await rows;
  if (row === undefined) throw new Error('the statement returned no row');
  return row;
}
