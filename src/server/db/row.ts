/** A record of the contract as the driver returns it: timestamps are dates. */
export type DbRow<T> = T extends readonly (infer Item)[]
  ? readonly DbRow<Item>[]
  : T extends object
    ? { [K in keyof T]: K extends `${string}_${'at' | 'until'}` ? T[K] | Date : DbRow<T[K]> }
    : T;

/** What was sent, without the fields that were left out: an update leaves their columns as they are. */
export const definedFields = <T extends object>(fields: T): Record<string, Exclude<T[keyof T], undefined>> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
