/**
 * Forms of SQL that Citus does not take on tables that it has spread, or takes and answers wrongly (docs/scaling.md,
 * "Citus"). Every statement of the server in every test is held against them, on whatever database the tests run.
 */
import type { listKinds } from '../src/server/db/citus/distribute';

const CLOCK = '(?:now|clock_timestamp|statement_timestamp)\\(\\)';
const inBrackets = `(?:[^()]|\\((?:[^()]|\\([^()]*\\))*\\))*?`;
const namesTenant = /tenant_id"?\s*(?:=\s*\$\d|=\s*any)|"?tenant_id"?\s*=\s*(?:due|m|d|c|old|t|w|f|s)\b/;

interface Rule {
  why: string;
  isBroken: (sql: string) => boolean;
}
const has = (pattern: RegExp) => (sql: string) => pattern.test(sql);

/** The rules for these tables. */
function makeRules(kinds: Awaited<ReturnType<typeof listKinds>>): readonly Rule[] {
  const tables = (...wanted: string[]) =>
    `"?(?:${kinds
      .filter(({ kind }) => wanted.includes(kind))
      .map(({ name }) => name)
      .join('|')})\\b"?`;
  const spread = tables('distributed'),
    reference = tables('reference'),
    onCoordinator = tables('coordinator');
  const known = tables('distributed', 'coordinator', 'reference');
  const changes = new RegExp(`\\bupdate\\s+(?:public\\.)?${known}|\\bdelete\\s+from\\s+(?:public\\.)?${known}`);
  return [
    { why: 'selects no column', isBroken: has(/\bselect\s+(?:from|where|union|limit|order)\b/) },
    {
      why: 'row_to_json forgets the names of the columns',
      isBroken: has(/\brow_to_json\s*\(|\bjson_agg\(\s*[a-z]\s*(?:\)|order\b)/),
    },
    { why: 'has a query as its limit', isBroken: has(/\b(?:limit|offset)\s*\(\s*select\b/) },
    { why: 'reads a function of its own in from', isBroken: has(/\b(?:from|join)\s+(?:coalesce|least|greatest)\s*\(/) },
    {
      why: 'asks for the time in do update; take that of excluded',
      isBroken: has(new RegExp(`\\bdo update\\b(?:(?!\\breturning\\b).)*?${CLOCK}`)),
    },
    {
      why: 'asks for the time in a case or coalesce of an update; choose before',
      isBroken: (sql) =>
        changes.test(sql) &&
        new RegExp(`\\bcoalesce\\(${inBrackets}${CLOCK}|\\bcase\\b(?:(?!\\bend\\b).)*?${CLOCK}`).test(sql),
    },
    {
      why: 'updates with clock_timestamp; read it before',
      isBroken: (sql) => changes.test(sql) && /clock_timestamp/.test(sql),
    },
    {
      why: 'updates with a function that Citus may not call for each row, such as jsonb_build_object; use jsonb_set',
      isBroken: (sql) =>
        changes.test(sql) && /\bset\b(?:(?!\bfrom\b).)*?\b(?:jsonb?_build_\w+|to_jsonb?|concat)\(/.test(sql),
    },
    {
      why: 'takes a number from a sequence beside a table that is spread; take it before',
      isBroken: (sql) => /\bnextval\(/.test(sql) && new RegExp(`\\b(?:from|join)\\s+(?:public\\.)?${spread}`).test(sql),
    },
    {
      why: 'reads a table of the coordinator beside one that is spread, whose rows it would fetch; read them one by one',
      isBroken: (sql) =>
        new RegExp(`\\b(?:from|join)\\s+(?:public\\.)?${onCoordinator}`).test(sql) &&
        new RegExp(`\\b(?:from|join)\\s+(?:public\\.)?${spread}`).test(sql),
    },
    {
      why: 'answers an insert with a query; read the row after it',
      isBroken: has(new RegExp(`\\binsert into ${spread}.*?\\breturning\\b[^)]*\\(\\s*select\\b`)),
    },
    { why: 'answers what needs the time; ask before', isBroken: has(/\breturning (?:(?!\)).)*\bnow\(/) },
    {
      why: 'answers a column of an insert that reads its own table; answer 1',
      isBroken: has(
        /\binsert into "?(\w+)\b(?:(?!\breturning\b).)*\bfrom "?\1\b(?:(?!\breturning\b).)*\breturning (?!1\b)/,
      ),
    },
    {
      why: 'looks in each copy of a table for rows that are spread; use except',
      isBroken: has(
        new RegExp(
          `\\bfrom ${reference}(?: \\w+)? where\\b(?:(?!\\bfrom\\b).)*?\\bexists \\(\\s*select 1 from ${spread}` +
            '(?: \\w+)? where (?:\\w+\\.)?tenant_id = [a-z]',
        ),
      ),
    },
    {
      why: 'shares the lock of a row with copies, which is a deadlock when two do; use for no key update',
      isBroken: (sql) => {
        const [shares, of] = /\bfor (?:key )?share\b(?: of (\w+))?/.exec(sql) ?? [];
        return !!shares && new RegExp(`\\b(?:from|join) ${reference}${of ? ` (?:as )?${of}\\b` : ''}`).test(sql);
      },
    },
    {
      why: 'changes or locks rows of a tenant without its tenant',
      isBroken: (sql) =>
        (new RegExp(`\\bupdate\\s+(?:public\\.)?${spread}|\\bdelete\\s+from\\s+(?:public\\.)?${spread}`).test(sql) ||
          (/\bfor (?:no key )?(?:update|share)\b/.test(sql) &&
            new RegExp(`\\bfrom\\s+(?:public\\.)?${spread}`).test(sql))) &&
        !namesTenant.test(sql),
    },
  ];
}

let rules: readonly Rule[] = [];
/** To be called once the database has its tables. */
export function knowTables(kinds: Awaited<ReturnType<typeof listKinds>>): void {
  rules = makeRules(kinds);
}

/** Statements that may break a rule, each with the reason. */
const exceptions: readonly { starts: RegExp; why: string }[] = [
  { starts: /^delete from (idempotency_keys|webhook_deliveries)/, why: 'forgets what is old, of all tenants' },
];

const normalize = (text: string): string =>
  text
    .replace(/--[^\n]*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();

/** Why a statement would not run on Citus; null when no rule is broken. */
export function whyNotDistributable(text: string): string | null {
  const sql = normalize(text);
  if (exceptions.some(({ starts }) => starts.test(sql))) return null;
  return rules.find(({ isBroken }) => isBroken(sql))?.why ?? null;
}
