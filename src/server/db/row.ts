/** A record of the contract as the driver returns it: timestamps are dates. */
export type DbRow<T> =
  T extends readonly (infer Item)[] ? readonly DbRow<Item>[]
  : T extends object ? { [K in keyof T]: K extends `${string}_at` ? T[K] | Date : DbRow<T[K]> }
  : T;
