/** What is deleted is gone: words planted about a player in every place that takes some, and looked for afterwards. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../../src/contract/allCalls';
import { verifyAudit } from '../../../src/server/audit/verify';
import { writeBackup } from '../../../src/server/backup/write';
import { verifyLedger } from '../../../src/server/books/verify';
import { encryptKeyCheck } from '../../../src/server/commands/setup';
import { table } from '../../answers';
import { ann, sue } from '../../callers';
import { importFile } from '../../importFile';
import { addApex, deliver, newKey, withKey } from '../../integrations';
import { addPlayer } from '../../seed';
import { db, refusal, reset, send, services, sql, tokenOf } from '../../world';
import { newFolder } from '../running';

test.before.each(reset);

/** Each stands in one place only. */
const words = {
  email: 'wilhelmina@planted.test',
  first_name: 'Wilhelmina',
  last_name: 'Featherstone',
  phone_number: '+49 171 5557042',
  referral_id: 'REFPLANTED',
  oldEmail: 'wilhelmine.old@planted.test',
  oldName: 'Wilhelmine',
  oldPhone: '+49 171 5550000',
  external_id: 'crmplanted77',
  login: 'winnie_the_player',
  note: 'passport no L01X00T47',
  tag: 'plantedtag',
  hold: 'called from a prison in Ulm',
  edit: 'sorry for her divorce',
  large: 'lost it all in Atlantic City',
  larger: 'her brother Balduin insists',
  purchase: 'paid from the account of Theodor',
  redeem: 'sister picks it up',
  address: 'bc1qplantedaddress',
  settled: 'told by her lawyer',
  topUp: 'birthday present of her mother',
  imported: 'brought along by Gudrun',
  importedAddress: 'wilhelmina-paypal',
  deletion: 'wrote us a letter from Ulm',
} as const;
/** How each could still be read: the text itself, a JSON text, a phone number without its signs. */
const formsOf = (word: string): string[] => [
  word.toLowerCase(),
  ...(word.startsWith('+') ? [word.replace(/\D/g, '').slice(-9)] : []),
];
const foundIn = (text: string, where: string): string[] =>
  Object.entries(words).flatMap(([name, word]) =>
    formsOf(word).some((form) => text.toLowerCase().includes(form)) ? [`${name} in ${where}`] : [],
  );

/** Each row of each table, all columns as text. */
async function foundInTables(): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'm')`;
  assert.ok(tables.length > 25);
  const found = [];
  for (const { name } of tables)
    for (const { row } of await sql<{ row: string }[]>`select t::text as row from ${sql(name)} t`)
      found.push(...foundIn(row, name));
  return [...new Set(found)].toSorted();
}

async function foundInBackup(): Promise<string[]> {
  const folder = newFolder('forgotten');
  await sql`delete from installation`;
  const keyCheck = encryptKeyCheck(services.secrets);
  await sql`insert into installation (is_demo, is_filled, key_check) values (false, true, ${keyCheck})`;
  try {
    await writeBackup(db, join(folder, 'backup'), services.secrets);
    return readdirSync(join(folder, 'backup')).flatMap((file) => {
      const bytes = readFileSync(join(folder, 'backup', file));
      return foundIn((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8'), file);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A player with a word in each place, nothing pending. */
async function plant(): Promise<number> {
  const { key } = await newKey();
  // Both send an Idempotency-Key with every write, so the answers are stored.
  const [shop, ann] = [withKey(key), withKey(await tokenOf('ann'))];
  const columns = 'source_id,email,first_name,last_name,phone,external_id,credit_balance';
  const row = `s-1,${words.oldEmail},${words.oldName},${words.last_name},${words.oldPhone},,500`;
  await importFile(ann, 'players', `${columns}\n${row}`);
  const [{ id } = { id: 0 }] = await sql<{ id: number }[]>`select id from players where email = ${words.oldEmail}`;
  assert.ok(id > 0);
  const history =
    'source_id,user_email,type,status,amount,initiated_at,completed_at,platform,payout_address,description\n' +
    `m-1,${words.oldEmail},REDEEM,success,20,2026-01-01,2026-01-02,yolo,${words.importedAddress},${words.imported}`;
  await importFile(ann, 'transactions', history);
  const { email, first_name, last_name, phone_number, referral_id } = words;
  const profile = { email, first_name, last_name, phone_number, referral_id, affiliate_id: 'AFF9', is_active: true };
  await ann.updatePlayer({ id, body: profile });
  await shop.pushPlayer({ body: { email, external_id: words.external_id } });
  await sql`
    insert into player_credentials (tenant_id, player_id, platform_name, platform_username, password_secret)
    values (2, ${id}, 'vblink', 'x', 'x')`;
  const [login] = await ann.listPlayerCredentials({ id });
  const renamed = { platform_username: words.login };
  await ann.updatePlayerCredential({ user_id: id, credential_id: login!.id, body: renamed });
  await ann.addPlayerNote({ id, body: { text: words.note } });
  await ann.savePlayerTags({ id, body: { tags: [words.tag] } });
  await sql`update tenants set edit_approval_from = 5000 where id = 2`;
  await ann.adjustBalances({ id, body: { credit: 6000, reason: 'goodwill', note: words.large } });
  await ann.endApproval({ id: (await ann.listApprovals({}))[0]!.id });
  await ann.adjustBalances({ id, body: { credit: '7000.50', reason: 'goodwill', note: words.larger } });
  await ann.adjustBalances({ id, body: { credit: 100, reason: 'goodwill', note: words.edit } });
  const bought = await shop.pushTopUp({
    body: { user_id: id, amount: 30, payment_method: 'card', payment_reference: 'r-1', description: words.topUp },
  });
  await ann.changePurchaseStatus({ id: bought.id, body: { status: 'success', note: words.purchase } });
  const apart = { payout_method: 'PayPal', payout_address: words.address, description: words.redeem } as const;
  const redeem = await ann.createManualRedeem({ body: { user_email: email, amount: 50, platform: 'yolo', ...apart } });
  const pay = () => ann.changeRedeemStatus({ id: redeem.id, body: { status: 'success', note: words.settled } });
  await ann.holdPayouts({ id, body: { is_held: true, reason: 'other', note: words.hold } });
  assert.match((await refusal(pay())).detail, /called from a prison in Ulm/);
  await ann.holdPayouts({ id, body: { is_held: false } });
  await pay();
  const secret = await addApex();
  const { path } = await sue.getWebhook({ tenant_id: 2, platform: 'apex' });
  const event = { type: 'payment.succeeded', amount: 25, currency: 'USD', email };
  for (const [n, change] of [{}, { reference: 'w-1', amount: 26 }, { type: 'payment.nonsense' }].entries())
    await deliver(path, secret, { id: `evt-${n}`, reference: `w-${n}`, ...event, ...change });
  await ann.holdPayouts({ id, body: { is_held: true, reason: 'other', note: words.hold } });
  await (await ann.exportPlayers({ search: email })).text();
  await (await ann.exportRedeems({ text: words.address })).text();
  return id;
}

test('the words about a deleted player stand in no table and in no backup [ASVS 14.2.7]', async () => {
  const id = await plant();
  assert.ok((await foundInTables()).length >= 15, 'the words were planted');
  await sql`analyze`;
  const entriesOf = async () => (await ann.getAudit({ player_id: id })).entries;
  const before = JSON.stringify(await entriesOf());
  for (const name of ['email', 'oldEmail', 'note', 'tag', 'hold', 'edit', 'address', 'login', 'purchase'] as const)
    assert.ok(before.includes(words[name]), name);
  assert.is((await ann.listApprovals({})).length, 1);
  await ann.deletePlayer({ id, reason: 'customer_request', note: words.deletion });
  assert.equal(await foundInTables(), []);
  assert.equal(await foundInBackup(), []);
  assert.equal(await verifyLedger(sql), []);
  assert.equal((await verifyAudit(db, services.secrets)).sentences, []);

  const entries = await entriesOf();
  assert.equal(foundIn(JSON.stringify(entries), 'the answer'), []);
  const note = entries.find(({ call }) => call === 'addPlayerNote');
  assert.equal(note?.after, { staff_note: 'deleted' }, 'what happened can still be read');
  const edit = entries.find(({ call }) => call === 'adjustBalances');
  const amounts = [{ credit_balance: 500 }, { credit_balance: 600 }, 'goodwill'];
  assert.equal([edit?.before, edit?.after, edit?.reason], amounts);
  // What waits for a second person is refused, and keeps its amounts.
  assert.equal(await ann.listApprovals({}), []);
  assert.equal(table(await sql`select outcome, change from approvals order by id`, 'outcome', 'change'), [
    ['withdrawn', { credit: '6000', reason: 'goodwill' }],
    ['refused', { credit: '7000.50', reason: 'goodwill' }],
  ]);
});

test('simultaneous first words about a player are all readable, and a deletion at the same moment drops all', async () => {
  await sql`update tenants set edit_approval_from = 5000 where id = 2`;
  for (let round = 0; round < 10; round++) {
    const { id } = await addPlayer(2, { email: `race${round}@mail.test` });
    // The first and the last lock the player and the second the wallet, so these do not wait for each other.
    const write = () => [
      ann.addPlayerNote({ id, body: { text: words.note } }),
      ann.adjustBalances({ id, body: { credit: 1, note: words.edit } }),
      ann.adjustBalances({ id, body: { credit: 6000, note: words.large } }),
    ];
    await Promise.all(write());
    const { entries } = await ann.getAudit({ player_id: id });
    const notes = entries.map(({ after, note }) => note ?? after?.['staff_note']);
    assert.equal(notes.toSorted(), [words.note, words.edit, words.large].toSorted());
    await Promise.allSettled([...write(), ann.deletePlayer({ id }), ...write()]);
    const [row] = await sql<{ sealed: string | null }[]>`select sealed from player_keys where player_id = ${id}`;
    assert.equal({ ...row }, { sealed: null });
    assert.equal(await foundInTables(), []);
  }
});

test('the answer to a stored request goes too, and its repetition creates nobody', async () => {
  const { key } = await newKey();
  const push = () =>
    send('POST', calls.pushPlayer.path, {
      token: key,
      headers: { 'Idempotency-Key': 'one' },
      body: { email: words.email, first_name: words.first_name },
    });
  const { id }: { id: number } = await (await push()).json();
  await ann.deletePlayer({ id });
  assert.equal(await foundInTables(), []);
  assert.is((await push()).status, 404);
  assert.equal([...(await sql`select 1 from players where id > ${id}`)], []);
});

test.run();
