import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { lockFolder } from '../../../../src/server/db/embedded/folderLock';
import { catchError } from '../../catchError';

/** The place a lock of this process names. */
async function placeOfOurs(): Promise<string> {
  const at = mkdtempSync(join(tmpdir(), 'lock-'));
  const lock = await lockFolder(at);
  const { place }: { place: string } = JSON.parse(readFileSync(join(at, 'server.lock'), 'utf8'));
  lock.release();
  rmSync(at, { recursive: true });
  return place;
}

/** A lock as a server in another container leaves it. */
function lockFromElsewhere(): { at: string; file: string } {
  const at = mkdtempSync(join(tmpdir(), 'lock-'));
  const file = join(at, 'server.lock');
  writeFileSync(file, JSON.stringify({ id: 'x', pid: process.pid, started: '1', place: 'another container' }));
  utimesSync(file, new Date(1_000_000), new Date(1_000_000));
  return { at, file };
}

test('a server in another container is known by its heartbeat, and a folder it left is taken', async () => {
  const [living, dead] = [lockFromElsewhere(), lockFromElsewhere()];
  const heartbeat = setInterval(() => utimesSync(living.file, new Date(), new Date()), 500);
  const [refused, taken] = await Promise.all([catchError(lockFolder(living.at)), lockFolder(dead.at)]);
  clearInterval(heartbeat);
  assert.match(refused.message, /is already using the folder/);
  assert.is(JSON.parse(readFileSync(dead.file, 'utf8')).pid, process.pid);
  taken.release();
  assert.not.ok(existsSync(dead.file));
  for (const { at } of [living, dead]) rmSync(at, { recursive: true });
});

test('of many starting at once on a folder left behind, one gets it', async () => {
  const at = mkdtempSync(join(tmpdir(), 'lock-'));
  writeFileSync(
    join(at, 'server.lock'),
    JSON.stringify({ id: 'x', pid: 2 ** 30, started: '1', place: await placeOfOurs() }),
  );
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(at)));
  const won = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  assert.is(won.length, 1);
  won[0]?.release();
  rmSync(at, { recursive: true });
});

test.run();
