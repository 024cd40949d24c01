import { PLATFORM_TENANT_ID } from '../../contract/constants';
import type { AdminMatch, PlayerMatch, SearchResults } from '../../contract/entities';
import { type MatchedField, SEARCH_HITS } from '../../contract/search';
import type { Handlers } from '../core/context';
import { inTenant, tenantScope } from '../core/tenancy';
import type { Sql } from '../db/open';
import { isManaged } from '../queries/managedAdmins';
import { findPayments } from '../queries/paymentSearch';
import { matches } from '../queries/playerList';
import { escapeLike, toId } from '../queries/searchText';

/** Very common words: the best of this many hits are shown. */
const POOL_SIZE = 500;
const splitWords = (q: string) => [...new Set(q.split(/\s+/).filter(Boolean))];
/** As fold_text of the database: lower case and without accents. */
const foldText = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '');
const keepDigits = (text: string) => text.replace(/\D/g, '');
/** The index needs three letters or digits in a row. */
const isIndexed = (word: string) =>
  /[\p{L}\p{N}]{3}/u.test(word) || (/^[\d+().\-/]+$/.test(word) && keepDigits(word).length > 2);

/** A word that is too short for the substring index must start a word; that index covers this too. */
function startsWord(sql: Sql, word: string) {
  const digits = /^[\d+().\-/]+$/.test(word) ? keepDigits(word) : '';
  const starts = [
    `${escapeLike(word)}%`,
    `%\n${escapeLike(word)}%`,
    `% ${escapeLike(word)}%`,
    ...(digits && digits !== word ? [`%\n${digits}%`] : []),
  ];
  const conditions = starts.map((start) => sql`p.search_text like fold_text(${start})`);
  return sql`(${conditions.reduce((all, one) => sql`${all} or ${one}`)})`;
}

interface Hit extends Omit<PlayerMatch, 'matched' | 'value'> {
  phone_number: string | null;
}

/** By e-mail, name and phone, all words; an exact e-mail first, then those that start with the text. */
async function findByProfile(sql: Sql, tenant: number | null, q: string): Promise<PlayerMatch[]> {
  const words = splitWords(q);
  if (!words.some((word) => /[\p{L}\p{N}]/u.test(word))) return [];
  const matching = words
    .filter((word) => !isIndexed(word))
    .reduce((all, word) => sql`${all} and ${startsWord(sql, word)}`, matches(sql, words.filter(isIndexed).join(' ')));
  const columns = sql`p.tenant_id, p.id, p.email, p.first_name, p.last_name, p.phone_number`;
  // The planner expects to read all hits from the index; only as many as needed are read.
  const hits = await sql<Hit[]>`
    with hits as materialized (
      select ${columns} from players p
      where ${inTenant(sql, tenant, 'p.tenant_id')} and p.deleted_at is null and ${matching}
    ), pool as (
      (select * from hits limit ${POOL_SIZE})
      union
      select ${columns} from players p
      where ${inTenant(sql, tenant, 'p.tenant_id')} and lower(p.email) = lower(${q}) and p.deleted_at is null
    )
    select p.*, t.name as tenant_name from pool p join tenants t on t.id = p.tenant_id
    order by lower(p.email) <> lower(${q}), not starts_with(lower(p.email), lower(${q})),
      not starts_with(lower(concat_ws(' ', p.first_name, p.last_name)), lower(${q})),
      not starts_with(lower(p.last_name), lower(${q})), lower(p.email), p.tenant_id, p.id
    limit ${SEARCH_HITS}`;
  return hits.map(({ phone_number, ...hit }) => ({ ...hit, ...findMatch({ ...hit, phone_number }, words) }));
}

async function findById(sql: Sql, tenant: number | null, q: string): Promise<PlayerMatch[]> {
  const id = toId(q);
  if (id === null) return [];
  return sql<PlayerMatch[]>`
    select p.tenant_id, p.id, p.email, p.first_name, p.last_name, t.name as tenant_name,
      'player_id' as matched, p.id::text as value
    from players p join tenants t on t.id = p.tenant_id
    where p.id = ${id} and ${inTenant(sql, tenant, 'p.tenant_id')} and p.deleted_at is null`;
}

/** The field that contains all words, otherwise the first that contains one. */
function findMatch({ email, first_name, last_name, phone_number }: Hit, words: readonly string[]) {
  const fields: [MatchedField, string][] = [
    ['email', email],
    ['name', [first_name, last_name].filter(Boolean).join(' ')],
    ['phone', phone_number ?? ''],
  ];
  const isIn =
    ([by, text]: [MatchedField, string]) =>
    (word: string) =>
      foldText(text).includes(foldText(word)) ||
      (by === 'phone' && keepDigits(word) !== '' && keepDigits(text).includes(keepDigits(word)));
  const [matched, value] =
    fields.find((field) => words.every(isIn(field))) ??
    fields.find((field) => words.some(isIn(field))) ??
    (['email', email] as const);
  return { matched, value };
}

const findTenants = (
  sql: Sql,
  tenant: number | null,
  q: string,
): Promise<readonly SearchResults['tenants'][number][]> => sql<SearchResults['tenants']>`
  select id, name, email from tenants
  where id <> ${PLATFORM_TENANT_ID} and ${inTenant(sql, tenant, 'id')}
    and lower(name || E'\n' || coalesce(email, '')) like lower(${`%${escapeLike(q)}%`})
  order by not starts_with(lower(name), lower(${q})), lower(name), id limit ${SEARCH_HITS}`;

/** By any part of the e-mail, those that start with it first. */
const findAdmins = (sql: Sql, tenant: number | null, q: string): Promise<readonly AdminMatch[]> => sql<AdminMatch[]>`
  select a.id, a.email, a.is_active, a.tenant_id, t.name as tenant_name
  from admins a join tenants t on t.id = a.tenant_id
  where ${isManaged(sql)} and ${inTenant(sql, tenant, 'a.tenant_id')}
    and lower(a.email) like lower(${`%${escapeLike(q)}%`})
  order by not starts_with(lower(a.email), lower(${q})), lower(a.email), a.id limit ${SEARCH_HITS}`;

/** By the whole id, in each tenant; of very many players of one the first are read. */
const findAffiliates = (sql: Sql, tenant: number | null, q: string) => sql<NonNullable<SearchResults['affiliates']>>`
  select min(p.affiliate_id) as affiliate_id, p.tenant_id, t.name as tenant_name
  from (
    select tenant_id, affiliate_id from players
    where ${inTenant(sql, tenant, 'tenant_id')} and tenant_id = any (array(select id from tenants))
      and lower(affiliate_id) = lower(${q.trim()})
    limit ${POOL_SIZE}
  ) p join tenants t on t.id = p.tenant_id
  group by p.tenant_id, t.name order by lower(t.name) limit ${SEARCH_HITS}`;

export const search = {
  /** Super admins search all tenants and their names; a tenant's admin searches their own. Admins need Team. */
  async search({ sql, caller, query: { q, tenant_id } }) {
    const tenant = tenantScope(caller, tenant_id);
    const [byId, byProfile] = [await findById(sql, tenant, q), await findByProfile(sql, tenant, q)];
    const others = byProfile.filter(({ id }) => byId.every((one) => one.id !== id));
    return {
      players: [...byId, ...others].slice(0, SEARCH_HITS),
      payments: await findPayments(sql, tenant, q, 'transactions'),
      payouts: await findPayments(sql, tenant, q, 'redeems'),
      tenants: caller.role.is_super_admin ? await findTenants(sql, tenant, q) : [],
      admins: caller.permissions.includes('team') ? await findAdmins(sql, tenant, q) : [],
      affiliates: await findAffiliates(sql, tenant, q),
    };
  },
} satisfies Partial<Handlers>;
