/** SQL as a tagged template: what is put in is a parameter, or another statement. It runs when somebody awaits it. */
import { join, Sql as Pieces, raw } from 'sql-template-tag';

// biome-ignore lint/suspicious/noExplicitAny: what a column contains is known where it is asked for
export type Row = Record<string, any>;
export type Rows<R extends readonly object[] = Row[]> = R & {
  readonly count: number;
};

export type Value = string | number | bigint | boolean | Date | Uint8Array | null | readonly Value[];
export interface Fragment {
  readonly pieces: Pieces;
}

/** Runs statements: on any connection of a pool, or on that of a transaction. */
export interface Sql {
  <R extends readonly object[] = Row[]>(
    text: TemplateStringsArray,
    ...values: readonly (Value | Fragment | Columns)[]
  ): Statement<R>;
  /** Names of tables or columns; a dot separates the table from the column. */
  (names: string | readonly string[]): Fragment;
  /** Columns with their values: `insert into t ${sql(rows)}`, `update t set ${sql(row)}`. */
  (rows: object | readonly object[]): Columns;
  /** A statement or fragment from a text that nobody else has written. Without values it can be several statements. */
  unsafe<R extends readonly object[] = Row[]>(text: string, values?: readonly Value[]): Statement<R>;
  json(value: unknown): Fragment;
}
export interface TransactionSql extends Sql {
  /** Runs work; if it fails, rolls back what it wrote and throws its error. The transaction goes on. */
  savepoint<T>(work: (sql: TransactionSql) => Promise<T>): Promise<T>;
}

/** What is sent: without `values` in the simple protocol. */
export interface Sent {
  text: string;
  values?: readonly unknown[] | undefined;
}
type Send = (sent: Sent) => Promise<unknown>;

/** Runs once, when somebody first waits for it. */
export class Statement<R extends readonly object[]> implements Promise<Rows<R>>, Fragment {
  readonly [Symbol.toStringTag] = 'Statement';
  readonly pieces: Pieces;
  readonly #run: () => Promise<unknown>;
  readonly #send: Send;
  #answer: Promise<Rows<R>> | undefined;

  constructor(pieces: Pieces, send: Send, run = () => send(pieces)) {
    this.pieces = pieces;
    this.#send = send;
    this.#run = run;
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise that starts late
  then<A = Rows<R>, B = never>(
    onAnswer?: ((rows: Rows<R>) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#answer ??= this.#run() as Promise<Rows<R>>;
    return this.#answer.then(onAnswer, onError);
  }
  catch<B = never>(onError?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<Rows<R> | B> {
    return this.then(null, onError);
  }
  finally(onEnd?: (() => void) | null): Promise<Rows<R>> {
    return this.then().finally(onEnd);
  }

  first(): Promise<R[number] | undefined> {
    return this.then(([row]) => row);
  }
  /** The row of a statement that always returns one, such as a count, or is refused. */
  async one(refusal?: Error): Promise<R[number]> {
    const row = await this.first();
    if (row === undefined) throw refusal ?? new Error('the statement returned no row');
    return row;
  }
  async hasRow(): Promise<boolean> {
    return (await this.first()) !== undefined;
  }

  /** Reads rows so many at a time. A transaction can have one cursor at once; other statements may run meanwhile. */
  async *cursor(size: number): AsyncGenerator<R> {
    await this.#send(new Pieces(['declare statement_rows no scroll cursor for ', ''], [this.pieces]));
    for (let isWhole = false; !isWhole; ) {
      const batch = (await this.#send({ text: `fetch ${size} from statement_rows` })) as Rows<R>;
      isWhole = batch.length < size;
      if (batch.length) yield batch;
    }
    await this.#send({ text: 'close statement_rows' });
  }
}

export class Columns {
  readonly #rows: readonly Row[];
  constructor(rows: readonly Row[]) {
    if (!Object.keys(rows[0] ?? {}).length) throw new TypeError('there are no columns');
    this.#rows = rows;
  }
  toInsert(): Pieces {
    const names = Object.keys(this.#rows[0] ?? {});
    const lists = this.#rows.map((row) =>
      join(
        names.map((name) => toPiece(row[name])),
        ', ',
        '(',
        ')',
      ),
    );
    return new Pieces(['(', ') values ', ''], [join(names.map(quote), ', '), join(lists, ', ')]);
  }
  toUpdate(): Pieces {
    const [row = {}] = this.#rows;
    return join(
      Object.entries(row).map(([name, value]) => new Pieces(['', ' = ', ''], [quote(name), toPiece(value)])),
      ', ',
    );
  }
}

/** Makes the tag whose statements are sent like this. */
export function createSql(send: Send): Sql {
  const tag = (first: TemplateStringsArray | string | object, ...values: readonly unknown[]) => {
    if (isTemplate(first)) return new Statement(toPieces(first, values), send);
    if (typeof first === 'string') return { pieces: quote(first) };
    if (!Array.isArray(first)) return new Columns([first]);
    return first.every((each) => typeof each === 'string')
      ? { pieces: join(first.map(quote), ', ') }
      : new Columns(first);
  };
  return Object.assign(tag, {
    unsafe: (text: string, values?: readonly Value[]) =>
      new Statement(raw(text), send, () => send({ text, values: values?.map(toParameter) })),
    json: (value: unknown) => ({ pieces: new Pieces(['', '::jsonb'], [JSON.stringify(value)]) }),
  }) as Sql;
}

const isTemplate = (first: object | string): first is TemplateStringsArray =>
  Array.isArray(first) && Object.hasOwn(first, 'raw');

const toPieces = (texts: readonly string[], values: readonly unknown[]): Pieces =>
  new Pieces(
    texts,
    values.map((value, n) =>
      value instanceof Columns
        ? /\bset\s*$/i.test(texts[n] ?? '')
          ? value.toUpdate()
          : value.toInsert()
        : toPiece(value),
    ),
  );

const quote = (name: string): Pieces => raw(`"${name.replaceAll('"', '""').replaceAll('.', '"."')}"`);
const isFragment = (value: object): value is Fragment => 'pieces' in value && value.pieces instanceof Pieces;

/** A part of a statement, or a parameter, whose type is named where the value has one of its own. */
function toPiece(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && isFragment(value)) return value.pieces;
  const parameter = toParameter(value),
    [first] = Array.isArray(value) ? value : [];
  const type = typeOf(value) ?? (first !== undefined && typeOf(first) ? `${typeOf(first)}[]` : undefined);
  return type ? new Pieces(['', `::${type}`], [parameter]) : parameter;
}

const typeOf = (value: unknown): string | undefined => {
  if (value instanceof Date) return 'timestamptz';
  if (value instanceof Uint8Array) return 'bytea';
  return ['boolean', 'bigint'].includes(typeof value) ? typeof value : undefined;
};

/** As the driver sends it: text, bytes, null, or an array of these. */
function toParameter(value: unknown): unknown {
  if (value === undefined) throw new TypeError('a value of a statement is undefined');
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(toParameter);
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array) ? JSON.stringify(value) : value;
}
