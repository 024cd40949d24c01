/** Links of a tenant: what an address may be, what its values become, and who may set them. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { LinkTemplate } from '../../../src/contract/entities';
import { fillLink, findLinkProblem } from '../../../src/contract/links';
import { isRefused } from '../../answers';
import { ann, ben, sue } from '../../callers';
import { people, reset, send, sql, tokenOf } from '../../world';

test.before.each(reset);

const chat: LinkTemplate = { kind: 'player', label: 'Chat', url: 'https://chat.test/p/{player_id}?q={email}#{email}' };
const save = async (templates: LinkTemplate[], tenant_id = 2) =>
  ann.saveLinkTemplates({ body: { templates, tenant_id } });

test('links are kept in their order, for the tenant alone', async () => {
  const block: LinkTemplate = { kind: 'payment', label: 'Block', url: 'https://x.test:8443/a/{payout_address}' };
  assert.equal(await save([block, chat]), [block, chat]);
  assert.equal(await ann.listLinkTemplates({}), [block, chat]);
  assert.equal(await sue.listLinkTemplates({ tenant_id: 2 }), [block, chat]);
  assert.equal(await ben.listLinkTemplates({}), []);
  await isRefused(sue.listLinkTemplates({}), 422);
  await save([]);
  assert.equal(await ann.listLinkTemplates({}), []);
});

test('who may not change the settings may only look', async () => {
  await sql`update admins set permissions = array['support'] where id = ${people.ann.id}`;
  await isRefused(save([chat]), 403);
  assert.equal(await ann.listLinkTemplates({}), []);
});

/** No value may decide where a link leads, and no link may run a script. */
const attacks = [
  ...['javascript:alert(1)', 'JavaScript:alert(1)//https://x.test', 'data:text/html,x', 'http://x.test/{player_id}'],
  ...['HTTPS://x.test/{player_id}', '//x.test/{player_id}', 'https:x.test/{player_id}', 'https:///x.test'],
  ...['https://', 'https://{player_id}', 'https://{player_id}.x.test/', 'https://x.test{player_id}/'],
  ...['https://x.test:{player_id}/', 'https://ann:secret@x.test/{player_id}', 'https://ann@x.test/{player_id}'],
  ...['https://{email}@x.test/', 'https://x.test\\@y.test/{player_id}', 'https://x.test/\\{player_id}'],
  ...['https://x.test/a b', 'https://x.test/{unknown}', 'https://x.test/{payout_address}'],
  ...['https://x.test/{{player_id}}', 'https://x.test/{player_id', 'https://x.test/player_id}'],
  ...['https://x.test/{__proto__}', 'https://x.test/{}', 'https://-x.test/', 'https://x.test:99999/'],
  ...['https://xn--/', 'https://x%2etest/', 'https://ху.test/'],
];
test('an address that could lead elsewhere is refused, whatever the disguise', async () => {
  const token = await tokenOf('ann');
  for (const url of attacks) {
    assert.ok(findLinkProblem('player', url), url);
    const body = { templates: [{ ...chat, url }] };
    assert.is((await send('PUT', '/api/v1/admin/link-templates', { token, body })).status, 422, url);
  }
  assert.equal(await ann.listLinkTemplates({}), []);
  const words = 'body.templates.0: {unknown} is none of {player_id}, {email}';
  await isRefused(save([{ ...chat, url: 'https://x.test/{unknown}' }]), 422, words);
});

test('values are encoded, and what is missing or a step in the path makes no link', () => {
  assert.is(
    fillLink(chat.url, { player_id: 7, email: 'a+b@c.test/?x=1&y#"<>' }),
    'https://chat.test/p/7?q=a%2Bb%40c.test%2F%3Fx%3D1%26y%23%22%3C%3E#a%2Bb%40c.test%2F%3Fx%3D1%26y%23%22%3C%3E',
  );
  const url = 'https://x.test/a/{payment_reference}';
  assert.is(fillLink(url, { payment_reference: '../{player_id}//y' }), 'https://x.test/a/..%2F%7Bplayer_id%7D%2F%2Fy');
  for (const value of [null, undefined, '', '.', '..', '\ud800'])
    assert.is(fillLink(url, { payment_reference: value }), null);
  assert.is(fillLink('https://x.test/{toString}', {}), null);
});

test('few of each kind, with a name', async () => {
  await isRefused(save(Array.from({ length: 6 }, () => chat)), 422);
  await isRefused(save([{ ...chat, label: ' ' }]), 422);
  await isRefused(save([{ ...chat, url: `https://x.test/${'a'.repeat(500)}` }]), 422);
  assert.is((await save(Array.from({ length: 5 }, () => chat))).length, 5);
});

test.run();
