/** A world in which every screen has something to show. */
import { permissions } from '../../../src/contract/permissions';
import { secretContext } from '../../../src/server/auth/secrets';
import { addPlayer, topUp } from '../../seed';
import { as, pam, reset, services, sql } from '../../world';
import { forget, replaceWindow } from './look';

export async function fillWorld(): Promise<void> {
  await reset();
  replaceWindow();
  forget();
  await sql`update admins set permissions = ${[...permissions]}`;
  await topUp(pam, '40', 'success');
  const paul = await addPlayer(2, { email: 'paul@mail.test', affiliate_id: 'AFF1' });
  const prue = await addPlayer(2, { email: 'prue@mail.test' });
  await sql`update players set first_name = 'Pam', last_name = 'Poe' where id = ${paul.id}`;
  await sql`
    insert into transactions (tenant_id, player_id, transaction_type, amount, payment_metadata, platform)
    values (2, ${pam.id}, 'DEPOSIT', 5, '{"type":"CREDIT"}', 'yolo')`;
  await sql`
    insert into player_credentials (tenant_id, player_id, platform_name, platform_username, password_secret)
    values (2, ${pam.id}, 'vblink', 'pam7', 'x')`;
  await sql`
    insert into tenant_platforms (tenant_id, platform_id, is_active, username, password_secret)
    values (2, 1, true, 'acme', 'x'), (2, 3, true, 'acme', 'x')`;
  await sql`
    insert into payment_methods (tenant_id, payment_platform, credentials_secret)
    values (2, 'apex', ${services.secrets.encrypt('{}', secretContext.paymentMethod(2, 'apex'))})`;
  const ann = await as('ann');
  await ann.addPlayerNote({ id: pam.id, body: { text: 'A note' } });
  for (const { id } of [pam, paul]) await ann.saveEligibility({ id, body: { birth_date: '1990-02-28' } });
  await ann.linkPlayers({ id: pam.id, body: { player_id: prue.id } });
  await ann.savePlayerTags({ id: pam.id, body: { tags: ['vip'] } });
  await ann.createValueAccount({ body: { name: 'Till', kind: 'cash', methods: ['cash'], is_active: true } });
  await ann.createValueAccount({ body: { name: 'VBlink', kind: 'credits', methods: ['vblink'], is_active: true } });
  await (await as('sue')).openShift({ body: { counts: [{ account_id: 1, counted: '5' }], tenant_id: 2 } });
  await ann.createApiKey({ body: { name: 'Shop', scopes: ['players:write'], password: 'secret' } });
}

/** Becomes an element wherever text is taken for markup. */
const MARKUP = `"'><img src=x onerror=hit=1 data-alive></script><script data-alive>hit=1</script>`;
/** Puts markup into every text that a person or a payment processor can send. */
export async function plantMarkup(): Promise<void> {
  for (const [table, ...columns] of [
    ['tenants', 'name', 'description'],
    ['platforms', 'display_name', 'description'],
    ['players', 'first_name', 'last_name', 'phone_number', 'referral_id', 'affiliate_id'],
    ['player_notes', 'text'],
    ['player_tags', 'tag'],
    ['player_credentials', 'platform_name', 'platform_username'],
    ['transactions', 'payment_method', 'description'],
    ['redeems', 'payout_address', 'description'],
    ['api_keys', 'name'],
    ['value_accounts', 'name'],
  ] as const) {
    for (const column of columns) {
      const [kept] = await sql`
        select 1 from information_schema.columns where table_name = ${table} and column_name = ${column}`;
      if (!kept) throw new Error(`${table} has no column ${column}`);
      await sql`update ${sql(table)} set ${sql(column)} = ${MARKUP} || right(ctid::text, 4)`;
    }
  }
  // They look like one person still.
  await sql`
    update players p set first_name = o.first_name, last_name = o.last_name from players o
    where o.id = ${pam.id} and p.email = 'paul@mail.test'`;
}
