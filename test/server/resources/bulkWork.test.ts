/** What is done to many users at once is a call for each, and can be repeated (docs/extras/players.md, "Many users"). */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { TAGS_MAX } from '../../../src/contract/constants';
import { readAuditLog } from '../../audit';
import { as, pam, pat, refusal, reset, send, sql, tokenOf } from '../../world';

test.before.each(reset);
const tagsOf = async (id: number) =>
  (await sql<{ tag: string }[]>`select tag from player_tags where player_id = ${id} order by lower(tag)`).map(
    ({ tag }) => tag,
  );

test('tags are added to those that are there, each once whatever its case', async () => {
  const ann = await as('ann');
  await ann.savePlayerTags({ id: pam.id, body: { tags: ['VIP', 'slow'] } });
  const { tags } = await ann.addPlayerTags({ id: pam.id, body: { tags: ['vip', 'Bingo', 'bingo'] } });
  assert.equal(tags, ['Bingo', 'slow', 'VIP']);
  assert.equal(await tagsOf(pam.id), tags);
  const entry = (await readAuditLog()).at(-1);
  assert.equal([entry?.call, entry?.player_id], ['addPlayerTags', pam.id]);
  assert.equal([entry?.before, entry?.after], [{ tags: ['slow', 'VIP'] }, { tags }]);
});

test('nobody gets more tags than the most, and then none of them', async () => {
  const ann = await as('ann');
  const many = Array.from({ length: TAGS_MAX }, (_, n) => `tag ${n}`);
  await ann.savePlayerTags({ id: pam.id, body: { tags: many } });
  assert.equal(await refusal(ann.addPlayerTags({ id: pam.id, body: { tags: ['tag 0', 'one more'] } })), {
    status: 409,
    detail: `A user has at most ${TAGS_MAX} tags`,
  });
  assert.equal((await tagsOf(pam.id)).toSorted(), many.toSorted());
});

test('a player is switched off and on, and keeps everything else', async () => {
  const ann = await as('ann');
  const before = (await ann.listPlayers()).users.find(({ id }) => id === pam.id);
  const off = await ann.setPlayerActive({ id: pam.id, body: { is_active: false } });
  assert.equal(off, { ...before, is_active: false });
  const entry = (await readAuditLog()).at(-1);
  assert.equal(
    [entry?.call, entry?.before, entry?.after],
    ['setPlayerActive', { is_active: true }, { is_active: false }],
  );
  assert.equal(await ann.setPlayerActive({ id: pam.id, body: { is_active: true } }), before);
  assert.is((await refusal(ann.setPlayerActive({ id: pat.id, body: { is_active: false } }))).status, 404);
});

test('sent again with the same key, it is done once, with one entry', async () => {
  const token = await tokenOf('ann');
  for (const [method, path, body] of [
    ['POST', 'tags', { tags: ['vip'] }],
    ['PUT', 'active', { is_active: false }],
  ] as const) {
    const repeat = () =>
      send(method, `/api/v1/admin/user/${pam.id}/${path}`, { token, body, headers: { 'Idempotency-Key': path } });
    const [first, second] = [await repeat(), await repeat()];
    assert.equal([first.status, second.headers.get('idempotency-replayed')], [200, 'true']);
    assert.equal(await second.json(), await first.json());
  }
  assert.equal(
    (await readAuditLog()).map(({ call }) => call).filter((call) => /PlayerTags|PlayerActive/.test(call)),
    ['addPlayerTags', 'setPlayerActive'],
  );
});

test.run();
