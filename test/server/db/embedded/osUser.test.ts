/** As whom root runs the database. */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { startEmbedded } from '../../../../src/server/db/embedded/embedded';
import { chooseUser, findOpenFolder } from '../../../../src/server/db/embedded/osUser';
import { openDatabase } from '../../../../src/server/db/open';
import { catchError } from '../../catchError';
import { isRoot, newFolder, nobody } from '../../running';
import { actAs, type OsUser, ownerOf } from '../databaseUser';

if (!isRoot) {
  test.skip('as whom root runs the database (needs root)', () => {});
} else {
  const folder = newFolder('os-user');
  const shared = nobody as OsUser;
  const said: string[] = [];
  const say = (_: string, message: string) => said.push(message);
  test.before.each(() => {
    said.length = 0;
  });
  test.after(() => rmSync(folder, { recursive: true, force: true }));

  const count = async (dataDir: string, statement: string, osUser?: string): Promise<number> => {
    const embedded = await startEmbedded({ folder: dataDir, osUser, say });
    const db = await openDatabase(embedded.address);
    const { length } = await db.sql.unsafe(statement);
    await db.close();
    await embedded.stop();
    return length;
  };

  test('a database keeps the user whose files it has; if that is nobody, or another is named, it is said how', async () => {
    const dataDir = join(folder, 'kept'),
      cluster = join(dataDir, 'postgres');
    await count(dataDir, 'create table kept as select 1 as one from generate_series(1, 3)', 'nobody');
    assert.equal(ownerOf(cluster), shared);
    assert.is(await count(dataDir, 'select 1 from kept'), 3);
    assert.match(said.join(), /runs as nobody\. Other programs .* give it the files \(chown -R\)/);
    const { uid } = chooseUser({ cluster: join(folder, 'none'), say })!;
    const refused = await catchError(startEmbedded({ folder: dataDir, osUser: 'gaming-backoffice' }));
    const words = new RegExp(`belongs to uid ${shared.uid}, but runs as uid ${uid}\\. .*chown -R ${uid}:`);
    assert.match(refused.message, words);
    spawnSync('chown', ['-R', `${uid}:${uid}`, cluster]);
    assert.is(await count(dataDir, 'select 1 from kept'), 3);
    assert.is(ownerOf(cluster).uid, uid);
  });

  test('without useradd it runs as nobody, and says in plain words what that means', async () => {
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    symlinkSync(spawnSync('/bin/sh', ['-c', 'command -v id'], { encoding: 'utf8' }).stdout.trim(), join(bin, 'id'));
    const blocked = join(bin, 'useradd'); // in front of the real one
    symlinkSync('/bin/false', blocked);
    const { PATH = '' } = process.env;
    process.env['PATH'] = bin;
    try {
      const own = `gbo-none-${process.pid}`;
      assert.equal(chooseUser({ cluster: join(folder, 'none'), own, say }), shared);
      assert.match(said.join(), /runs as nobody\. Other programs .* can read and change all data/);
    } finally {
      process.env['PATH'] = PATH;
    }
  });

  test('the user of its own is created when it is missing, and cannot sign in', async () => {
    const own = `gbo-test-${process.pid}`;
    try {
      const made = chooseUser({ cluster: join(folder, 'none'), own, say });
      const { stdout } = spawnSync('getent', ['passwd', own], { encoding: 'utf8' });
      assert.match(stdout, new RegExp(`^${own}:[^:]*:${made?.uid}:${made?.gid}:[^:]*:/nonexistent:.*nologin`));
      assert.match(said.join(), new RegExp(`created the user ${own}`));
      assert.equal(chooseUser({ cluster: join(folder, 'none'), own, say }), made);
      assert.is(said.length, 1);
    } finally {
      spawnSync('userdel', [own], { env: { PATH: `${process.env['PATH']}:/usr/sbin` } });
    }
  });

  test('a named user who does not exist, or is root, is refused', async () => {
    for (const wanted of ['no-such', 'root'])
      assert.throws(
        () => chooseUser({ cluster: join(folder, 'none'), say, wanted }),
        new RegExp(`and ${wanted} does not exist or is root`),
      );
  });

  test('a folder in which the database could replace what root uses is refused, and nothing is written there', async () => {
    const own = chooseUser({ cluster: join(folder, 'none'), say });
    assert.ok(own);
    for (const [name, open] of [
      ['owned', (at: string) => chownSync(at, own.uid, own.gid)],
      ['writable', (at: string) => chmodSync(at, 0o777)],
      ['writable-and-sticky', (at: string) => chmodSync(at, 0o1777)],
    ] as const) {
      const at = join(folder, name);
      mkdirSync(at);
      open(at);
      const before = statSync(at).mtimeMs;
      const { message } = await catchError(startEmbedded({ folder: at }));
      assert.match(message, /can replace files in .*chown root/, name);
      assert.equal(readdirSync(at), []);
      assert.is(statSync(at).mtimeMs, before);
      if (name !== 'writable-and-sticky')
        assert.match((await catchError(startEmbedded({ folder: join(at, 'inner') }))).message, /can replace files/);
    }
    assert.is(findOpenFolder(folder, own), undefined);
  });

  test('the user of the database cannot change its configuration', async () => {
    const dataDir = join(folder, 'configured');
    const embedded = await startEmbedded({ folder: dataDir });
    const user = ownerOf(join(dataDir, 'postgres'));
    const config = join(dataDir, 'postgres-config');
    for (const name of readdirSync(config)) {
      const { uid, mode } = statSync(join(config, name));
      assert.equal([uid, mode & 0o777], [0, 0o644], name);
      assert.throws(() => actAs(user, config, 'echo "local all all trust" > "$1"', name), /denied/i);
      assert.throws(() => actAs(user, config, 'rm -f "$1"', name), /denied/i);
    }
    assert.throws(() => actAs(user, dataDir, 'mv postgres-config elsewhere'));
    await embedded.stop();
  });
}

test.run();
