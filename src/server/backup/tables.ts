/** Tables and sequences, and rows as lines of JSON: the same rows are the same bytes. */
import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { Sql, TransactionSql } from '../db/open';
import type { Manifest } from './manifest';

/**
 * Not copied: a restore must not revive ended sessions, nor counts of failed sign-ins that lock people out, nor who has
 * which row, nor links to choose a password, challenges and sign-ins that have begun, nor tell of backups and checks of
 * another database, nor send again what was sent since.
 */
export const excludedTables: readonly string[] = [
  'sessions',
  'rate_limits',
  'row_claims',
  'upkeep',
  'book_checks',
  'book_differences',
  'notification_deliveries',
  'event_outbox',
  'mail_queue',
  'mail_links',
  'passkey_challenges',
  'sso_flows',
];

export interface Table {
  name: string;
  columns: string[];
}
interface TableRow extends Table {
  key: { column: string; is_text: boolean }[] | null;
  needs: string[] | null;
}

/** Every table of ours, each after those that it references. */
export async function listTables(sql: Sql): Promise<TableRow[]> {
  const rows = await sql<TableRow[]>`
    select c.relname as name,
      (select json_agg(a.attname order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      (select json_agg(json_build_object('column', a.attname, 'is_text', a.attcollation <> 0) order by k.place)
        from pg_index i
          cross join unnest(i.indkey) with ordinality as k (attnum, place)
          join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
        where i.indrelid = c.oid and i.indisprimary) as key,
      (select json_agg(distinct p.relname) from pg_constraint f join pg_class p on p.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as needs
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and not exists (
        select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by c.relname`;
  const ordered: TableRow[] = [];
  while (ordered.length < rows.length) {
    const next = rows.filter(
      (row) => !ordered.includes(row) && (row.needs ?? []).every((name) => ordered.some((done) => done.name === name)),
    );
    if (!next.length) throw new Error('tables refer to one another in a circle');
    ordered.push(...next);
  }
  return ordered;
}

/** The sequences that have been used. */
export const listSequences = async (sql: Sql): Promise<Manifest['sequences']> => [
  ...(await sql<Manifest['sequences']>`
    select sequencename as name, last_value from pg_sequences
    where schemaname = 'public' and last_value is not null
    order by 1`),
];

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const columnList = ({ columns }: Table): string => columns.map(quoteName).join(', ');

const BATCH = 1000;

/** The rows of a table in the order of its key, independent of the collation; read on demand. */
export async function* readRows(sql: TransactionSql, table: TableRow): AsyncGenerator<Buffer> {
  const order =
    table.key?.map(({ column, is_text }) => `r.${quoteName(column)}${is_text ? ' collate "C"' : ''}`).join(', ') ??
    'r::text collate "C"';
  // Not COPY: the driver pauses its socket for good when the reader is slower than the end of the data.
  // Column by column with the bytes of row_to_json, which forgets the names of columns that come from other machines.
  const pairs = table.columns.map(
    (name) => `'${JSON.stringify(name)}:' || coalesce(to_json(r.${quoteName(name)})::text, 'null')`,
  );
  const lines = sql.unsafe<{ line: string }[]>(`
    select '{' || ${pairs.join(" || ',' || ")} || '}' as line from ${quoteName(table.name)} r
    order by ${order}`);
  for await (const batch of lines.cursor(BATCH)) {
    if (batch.some(({ line }) => line.includes('\n')))
      throw new Error(`a row of the table ${table.name} is not one line`);
    yield Buffer.from(batch.map(({ line }) => `${line}\n`).join(''));
  }
}

/** Writes rows in the format of `readRows`. */
export async function writeRows(sql: TransactionSql, table: Table, source: AsyncIterable<Buffer>): Promise<void> {
  const name = quoteName(table.name),
    columns = columnList(table);
  const statement = `
    insert into ${name} (${columns}) overriding system value
    select ${columns} from json_populate_recordset(null::${name}, $1::text::json)`;
  const insert = (lines: readonly string[]) => sql.unsafe(statement, [`[${lines.join(',')}]`]);
  const decoder = new StringDecoder('utf8');
  const waiting: string[] = [''];
  for await (const part of source) {
    const [first = '', ...more] = decoder.write(part).split('\n');
    waiting.push((waiting.pop() ?? '') + first, ...more);
    while (waiting.length > BATCH) await insert(waiting.splice(0, BATCH));
  }
  const rest = waiting.pop();
  if (rest) throw new Error('the last line is incomplete');
  if (waiting.length) await insert(waiting);
}

/** Settings on which the JSON format of values depends. */
export async function setFixedFormats(sql: Sql): Promise<void> {
  for (const setting of [
    'statement_timeout = 0',
    'lock_timeout = 0',
    'idle_in_transaction_session_timeout = 0',
    "datestyle = 'ISO, YMD'",
    "intervalstyle = 'postgres'",
    "timezone = 'UTC'",
    "bytea_output = 'hex'",
  ]) {
    await sql.unsafe(`set local ${setting}`);
  }
}

export interface Measured {
  rows: number;
  sha256: string;
}
/** Measures rows while passing them on. Each row is one line, because JSON escapes line breaks. */
export function createMeter(): { stream: Transform; measured(): Measured } {
  const hash = createHash('sha256');
  let rows = 0;
  const stream = new Transform({
    transform(part: Buffer, _, done) {
      hash.update(part);
      for (let at = part.indexOf(10); at >= 0; at = part.indexOf(10, at + 1)) rows++;
      done(null, part);
    },
  });
  return { stream, measured: () => ({ rows, sha256: hash.digest('hex') }) };
}
