/** The Users list: search, every order, every page. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type PlayerSort, playerSorts } from '../../../src/contract/constants';
import type { Player, PlayerQuery } from '../../../src/contract/entities';
import { listPlayers } from '../../../src/server/queries/playerList';
import { ann, sue } from '../../callers';
import { addPlayer } from '../../seed';
import { pam, pat, reset, send, sql, tokenOf } from '../../world';
import { collectPlans, countStatements } from './collectPlans';

const emails = async (query: PlayerQuery, api = ann) => (await api.listPlayers(query)).users.map(({ email }) => email);

/** A crowd with ties and gaps in every column, some of them deleted. */
const crowd = () => sql`
  with made as (
    insert into players (tenant_id, email, first_name, affiliate_id, updated_at, deleted_at)
    select 2 + n % 2, 'p' || lpad((n * 37 % 300)::text, 3, '0') || '@crowd.test',
      case when n % 4 > 0 then chr(97 + n % 26) end, case when n % 3 > 0 then 'A' || n % 5 end,
      now() - make_interval(mins => n % 17), case when n % 11 = 0 then now() end
    from generate_series(1, 300) n returning tenant_id, id, deleted_at)
  insert into wallets (tenant_id, player_id, credit_balance, individual_ggr, closed_at)
  select tenant_id, id, id % 13, (id % 7) - 3, deleted_at from made`;

test.before.each(reset);

test('a row has the profile and every balance, and nothing else', async () => {
  const { users, pagination } = await ann.listPlayers();
  assert.equal(users, [
    {
      ...{ id: pam.id, tenant_id: 2, email: pam.email, first_name: 'Pam', last_name: 'Poe' },
      ...{ phone_number: '+1 (555) 010-2000', referral_id: null, affiliate_id: 'AFF1', is_active: true },
      ...{ individual_ggr: 0, credit_balance: 350, bonus_balance: 0, vip_balance: 0, loyalty_balance: 0 },
    },
  ]);
  assert.equal(pagination, { total_users: 1, total_pages: 1, has_next: false, has_previous: false });
});

test('a super admin sees the tenant they ask for, or all', async () => {
  assert.equal(await emails({ tenant_id: 2 }, sue), ['pam@mail.test']);
  assert.equal(await emails({ sort_by: 'email', sort_order: 'asc' }, sue), ['pam@mail.test', 'pat@mail.test']);
  assert.equal(await emails({ tenant_id: 99 }, sue), []);
});

test('the newest change comes first unless asked otherwise, and money does not count as a change', async () => {
  await addPlayer(2, { email: 'new@mail.test' });
  assert.equal(await emails({}), ['new@mail.test', 'pam@mail.test']);
  await ann.adjustBalances({ id: pam.id, body: { credit: 5 } });
  assert.equal(await emails({}), ['new@mail.test', 'pam@mail.test']);
  await ann.updatePlayer({ id: pam.id, body: { email: pam.email } });
  assert.equal(await emails({}), ['pam@mail.test', 'new@mail.test']);
});

/** The value the list is sorted by, as it compares. */
const getSortKey = (player: Player, sort: PlayerSort, updated: Map<number, number>): string | number | null => {
  if (sort === 'updated_at') return updated.get(player.id)!;
  const value = player[sort];
  return typeof value === 'string' ? value.toLowerCase() : value;
};
const inOrder =
  (order: 'asc' | 'desc', keys: Map<number, string | number | null>) =>
  (one: Player, other: Player): number => {
    const [a, b] = [keys.get(one.id)!, keys.get(other.id)!];
    const direction = order === 'asc' ? 1 : -1;
    if (a === b) return (one.id - other.id) * direction;
    if (a === null) return 1;
    if (b === null) return -1;
    return (a < b ? -1 : 1) * direction;
  };

test('every page in each order: nobody twice, nobody missing, nulls last, ties by id', async () => {
  await crowd();
  const times = await sql<{ id: number; at: number }[]>`
    select id, extract(epoch from updated_at)::float8 as at from players`;
  const updated = new Map(times.map(({ id, at }) => [id, at]));
  const orders = playerSorts.flatMap((sort_by) =>
    (['asc', 'desc'] as const).map((sort_order) => ({ sort_by, sort_order, page_size: 25 as const })),
  );
  for (const [api, search, isOfAll] of [
    [ann, undefined, false],
    [sue, undefined, true],
    [ann, 'crowd.test', false],
    [sue, 'p', true],
  ] as const) {
    const expected = await sql`
      select 1 from players
      where deleted_at is null and (${isOfAll} or tenant_id = 2)
        and (${search ?? ''} <> 'crowd.test' or email like '%crowd.test')`;
    for (const order of orders) {
      const seen: Player[] = [];
      for (let page = 1, more = true; more; page++) {
        const { users, pagination } = await api.listPlayers({ ...order, page, search });
        seen.push(...users);
        more = pagination.has_next;
        assert.is(pagination.has_previous, page > 1);
        if (more) assert.is(users.length, 25);
        else assert.is(seen.length, pagination.total_users);
      }
      const what = JSON.stringify({ ...order, search, isOfAll });
      assert.is(seen.length, expected.length, what);
      const keys = new Map(seen.map((player) => [player.id, getSortKey(player, order.sort_by, updated)]));
      const ids = (list: Player[]) => list.map(({ id }) => id);
      assert.equal(ids(seen), ids(seen.toSorted(inOrder(order.sort_order, keys))), what);
      assert.is(new Set(ids(seen)).size, seen.length, what);
    }
  }
});

test('a page past the end is empty, with the right totals', async () => {
  await crowd();
  for (const search of [undefined, 'crowd.test']) {
    const { users, pagination } = await ann.listPlayers({ page: 9, page_size: 25, search });
    assert.equal(users, []);
    assert.ok(pagination.total_users > 130 && pagination.total_pages === 6, JSON.stringify(pagination));
    assert.equal([pagination.has_next, pagination.has_previous], [false, true]);
  }
});

test('nothing found is an empty first page, also where another tenant has it: it is not even counted', async () => {
  for (const search of ['nobody-here', pat.email]) {
    const { users, pagination } = await ann.listPlayers({ search });
    assert.equal(users, []);
    assert.equal(pagination, { total_users: 0, total_pages: 0, has_next: false, has_previous: false });
  }
});

test('an unknown order, page or page size is 422', async () => {
  const token = await tokenOf('ann');
  for (const query of [
    ...['sort_by=password_hash', 'sort_by=tenant_id', 'sort_order=sideways', `search=${'x'.repeat(101)}`, 'search=%00'],
    ...['page=0', 'page=-1', 'page=1.5', 'page=x', 'page_size=10', 'page_size=1000'],
  ]) {
    assert.is((await send('GET', `/api/v1/admin/user-management/users/?${query}`, { token })).status, 422, query);
  }
});

test('blank query values are values left out', async () => {
  const blank = 'tenant_id=&search=&sort_by=&sort_order=&page=&page_size=',
    token = await tokenOf('ann');
  const response = await send('GET', `/api/v1/admin/user-management/users/?${blank}`, { token });
  assert.is((await response.json()).users.length, 1);
});

test('a word is found anywhere in e-mail, first name, last name and phone, without case', async () => {
  const named = { first_name: 'Zoë', last_name: 'Ångström', phone_number: '+44 20 7946 0018' };
  await addPlayer(2, { email: 'zoe@other.test', ...named });
  for (const search of ['ZOE@', 'zoë', 'ÅNGSTR', 'gström', '7946', '+44'])
    assert.equal(await emails({ search }), ['zoe@other.test'], search);
  for (const search of ['pam', 'POE', 'mail.test', '(555)'])
    assert.equal(await emails({ search }), ['pam@mail.test'], search);
});

test('every word must match, in any order and any field', async () => {
  await addPlayer(2, { email: 'pam2@mail.test', first_name: 'Pam', last_name: 'Other' });
  assert.equal(await emails({ search: 'pam' }), ['pam2@mail.test', 'pam@mail.test']);
  assert.equal(await emails({ search: ' poe   PAM ' }), ['pam@mail.test']);
  assert.equal(await emails({ search: 'poe other' }), []);
});

test('a word never matches across two fields', async () => {
  await addPlayer(2, { email: 'x@y.test', first_name: 'Anna', last_name: 'Bell' });
  assert.equal(await emails({ search: 'annabell' }), []);
});

test('phone digits match whatever stands between them', async () => {
  const spellings = ['5550102000', '15550102000', '555-010-2000', '555.010.2000', '+1(555)010-2000', '+1 555 010 2000'];
  for (const search of spellings) assert.equal(await emails({ search }), ['pam@mail.test'], search);
  assert.equal(await emails({ search: '555-010-3000' }), []);
});

test('accents do not matter, in what is stored nor in what is searched for', async () => {
  await addPlayer(2, { email: 'm@mail.test', first_name: 'Jürgen', last_name: 'Müller-Łęcki' });
  await addPlayer(2, { email: 'n@mail.test', first_name: 'Jose\u0301', last_name: 'Nunez' });
  for (const search of ['muller', 'MÜLLER', 'lecki', 'jurgen müller'])
    assert.equal(await emails({ search }), ['m@mail.test'], search);
  for (const search of ['jose', 'José', 'núñez']) assert.equal(await emails({ search }), ['n@mail.test'], search);
  assert.equal(await emails({ search: 'mueller' }), []);
});

test('wildcards and quotes are ordinary characters', async () => {
  await addPlayer(2, { email: 'odd@mail.test', first_name: '100%_\\', last_name: "O'Neil" });
  for (const search of ['%', '_', '\\', '100%', '%_\\', "o'neil"])
    assert.equal(await emails({ search }), ['odd@mail.test'], search);
  assert.equal(await emails({ search: 'p%m' }), []);
  assert.equal(await emails({ search: "'; drop table players; --" }), []);
});

test('names of every script are found', async () => {
  const names = ['Ольга', 'Γιώργος', 'محمد', 'דוד', '王小明', 'さくら', '민준', 'สมชาย', 'प्रिया', 'José'];
  for (const [n, name] of names.entries()) await addPlayer(2, { email: `n${n}@mail.test`, first_name: name });
  for (const [n, name] of names.entries()) assert.equal(await emails({ search: name }), [`n${n}@mail.test`], name);
  assert.equal(await emails({ search: 'ОЛЬГА' }), ['n0@mail.test']);
});

test('the total of an unfiltered list is kept exactly, through every way players come and go', async () => {
  const counted = async () => (await sue.listPlayers()).pagination.total_users;
  const real = async () => (await sql`select 1 from players where deleted_at is null`).length;
  await crowd();
  assert.is(await counted(), await real());
  await sql`update players set deleted_at = now() where id % 3 = 0 and deleted_at is null`;
  assert.is(await counted(), await real());
  await sql`update players set first_name = 'same'`;
  await Promise.all(Array.from({ length: 20 }, (_, n) => addPlayer(2, { email: `at-once-${n}@mail.test` })));
  assert.is(await counted(), await real());
});

const tables = /from (players|wallets|tenants)/;
test('in a large tenant every page of each order comes from its index, a rare word from the search index', async () => {
  for (let from = 1; from < 8000; from += 1000)
    await sql`
    with made as (
      insert into players (tenant_id, email, first_name, affiliate_id, updated_at)
      select 2, 'b' || n || '@big.test', 'N' || n % 999, case when n % 2 = 0 then 'A' || n % 50 end,
        now() - make_interval(mins => n % 4000)
      from generate_series(${from}::int, ${from + 999}::int) n returning tenant_id, id)
    insert into wallets (tenant_id, player_id, credit_balance) select tenant_id, id, id % 999 from made`;
  await sql`analyze players, wallets`;
  const index: Record<PlayerSort, RegExp> = {
    updated_at: /players_updated/,
    email: /players_(email|in_order)/,
    first_name: /players_first_name/,
    affiliate_id: /players_affiliate/,
    individual_ggr: /wallets_ggr/,
    credit_balance: /wallets_credit/,
  };
  for (const sort_by of playerSorts)
    for (const sort_order of ['asc', 'desc'] as const)
      for (const page of [1, 161]) {
        const plans = await collectPlans(tables, async () => listPlayers(sql, 2, { sort_by, sort_order, page }));
        assert.match(plans, index[sort_by], `${sort_by} ${sort_order} page ${page}`);
        assert.not.match(plans, /Seq Scan on (players|wallets)/, `${sort_by} ${sort_order} page ${page}`);
      }
  const plans = await collectPlans(tables, async () => listPlayers(sql, 2, { search: 'b1234@' }));
  assert.match(plans, /players_search/);
});

test('a read sends the statement for its session and its own, the first page of users too', async () => {
  await sue.listRoles(); // the first call of a session also marks it as used
  for (const read of [sue.listRoles, () => sue.listPlayers({}), () => sue.listPlayers({ search: 'maria' })])
    assert.is(await countStatements(() => read()), 2, 'each is a round trip that somebody waits for');
});

test.run();
