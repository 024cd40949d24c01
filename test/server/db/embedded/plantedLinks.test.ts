/**
 * Root starts the server, and the database's user of the operating system attacks it: by links at the paths that a
 * start touches, by lies in its files, and by files of PostgreSQL that let others in. It must not reach what is root's.
 */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  databaseProcesses,
  eventually,
  findServer,
  isRoot,
  killTree,
  newFolder,
  type Running,
  run,
  serverBundle,
} from '../../running';
import { actAs, knock, makeVictims, ownerOf } from '../databaseUser';

if (!isRoot) {
  test.skip('root starts the server and its database attacks it (needs root)', () => {});
} else {
  const folder = newFolder('planted');
  const dataDir = join(folder, 'data'),
    cluster = join(dataDir, 'postgres'),
    pristine = join(folder, 'pristine');
  const victims = makeVictims(join(folder, 'victims'));
  const user = () => ownerOf(cluster);
  const postmaster = () => readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');

  /** A start that may be refused, but must come to an end. */
  async function start(env: Record<string, string> = {}): Promise<Running | undefined> {
    const starting = run({ dataDir, env });
    const server = await Promise.race([starting, setTimeout(30_000)]);
    assert.ok(server, 'the start neither succeeds nor fails');
    return server.url === '' ? undefined : server;
  }
  /** Starts and stops it, and says whether it started. */
  async function tryStart(): Promise<boolean> {
    const server = await start();
    await server?.end('SIGTERM');
    return server !== undefined;
  }

  test.before(async () => {
    chmodSync(folder, 0o711); // the attacker may reach the folder of the victims, and is kept out there
    await serverBundle();
    assert.ok(await tryStart());
    spawnSync('cp', ['-a', cluster, pristine]);
  });
  test.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));
  test.before.each(async () => {
    if (existsSync(join(dataDir, 'server.lock'))) killTree(findServer(dataDir)); // of a test that failed
    assert.ok(await eventually(() => databaseProcesses(dataDir).length === 0));
    rmSync(cluster, { recursive: true });
    spawnSync('cp', ['-a', pristine, cluster]);
  });

  test('the database has a user of its own, which nobody else is', () => {
    const { uid, gid } = user();
    assert.ok(uid > 0 && gid > 0);
    const [line] = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .filter((each) => each.split(':')[2] === String(uid));
    assert.match(line ?? '', /^gaming-backoffice:.*nologin$/);
  });

  test('links in place of the configuration files change nothing of root, and the server starts', async () => {
    for (const target of ['file', 'nothing'] as const) {
      for (const name of ['pg_hba.conf', 'pg_ident.conf', 'postgresql.conf'])
        actAs(user(), cluster, 'ln -sfn "$2" "$1"', name, victims[target]());
      const changed = victims.watch();
      const isStarted = await tryStart();
      assert.equal(changed(), []);
      assert.ok(isStarted, 'its configuration lies elsewhere');
    }
  });

  test('a link in place of any file or folder of the database changes nothing of root', async () => {
    const made = ['postmaster.pid', 'pg_hba.conf', 'pg_ident.conf', 'postmaster.pid.new', 'pg_hba.conf.new'];
    for (const target of ['file', 'nothing'] as const) {
      for (const name of new Set([...readdirSync(cluster), ...made])) {
        const isFolder = existsSync(join(cluster, name)) && statSync(join(cluster, name)).isDirectory();
        const victim = target === 'nothing' ? victims.nothing() : isFolder ? victims.folder() : victims.file();
        actAs(user(), cluster, 'rm -rf "$1"; ln -s "$2" "$1"', name, victim);
      }
      const changed = victims.watch();
      const isStarted = await tryStart();
      assert.equal(changed(), []);
      assert.not.ok(isStarted, 'there is no database left to start');
    }
  });

  test('a postmaster.pid that names a process and a folder of root harms neither', async () => {
    const victim = victims.folder();
    const changed = victims.watch();
    const process = spawn('sleep', ['300'], { cwd: cluster, stdio: 'ignore' });
    const ended = new Promise((resolve) => process.on('exit', () => resolve('ended')));
    try {
      const lies = `${process.pid}\n${cluster}\n1\n5432\n${join(victim, 'back-office-inside')}\n\n1\nready\n`;
      actAs(user(), cluster, 'printf %s "$1" > postmaster.pid; chmod 600 postmaster.pid', lies);
      await tryStart();
      assert.is(await Promise.race([ended, setTimeout(200, 'lives')]), 'lives');
      assert.equal(changed(), []);
    } finally {
      process.kill('SIGKILL');
    }
  });

  test('a pipe in place of postmaster.pid does not hold up a start for ever', async () => {
    actAs(user(), cluster, 'mkfifo postmaster.pid');
    assert.ok(await tryStart());
  });

  test('what a broken-off first start left is cleared away, and links in it are not followed', async () => {
    const draft = join(dataDir, 'postgres.new-4711');
    mkdirSync(draft, { mode: 0o700 });
    const { uid, gid } = user();
    chownSync(draft, uid, gid);
    actAs(user(), draft, 'mkdir deep; ln -s "$1" deep/folder; ln -s "$2" file', victims.folder(), victims.file());
    const changed = victims.watch();
    assert.ok(await tryStart());
    assert.not.ok(existsSync(draft));
    assert.equal(changed(), []);
  });

  test('a link in place of the folder of the socket is not followed, neither at a stop nor at the next start', async () => {
    const server = await start();
    assert.ok(server);
    const [, , , , sockets = ''] = postmaster();
    const swap = 'mv "$1" "$1.aside" && ln -s "$2" "$1"';
    actAs(user(), dirname(sockets), swap, sockets, victims.folder());
    const changed = victims.watch();
    await server.end('SIGTERM');
    assert.equal(changed(), []);
    actAs(user(), dirname(sockets), 'rm -rf "$1" "$1.aside"', sockets);

    const next = await start();
    assert.ok(next);
    const [, , , , folderOfNext = ''] = postmaster();
    killTree(next.pid);
    await next.ended;
    actAs(user(), dirname(folderOfNext), swap, folderOfNext, victims.folder());
    const changedThen = victims.watch();
    assert.ok(await tryStart());
    assert.equal(changedThen(), []);
    actAs(user(), dirname(folderOfNext), 'rm -rf "$1" "$1.aside"', folderOfNext);
  });

  test('files of PostgreSQL that let others in let nobody in, not after SIGHUP and not after a restart', async () => {
    const server = await start();
    assert.ok(server);
    const [pid = '', , , , sockets = ''] = postmaster();
    const attacker = user();
    assert.match(knock(attacker, sockets, 'postgres'), /Peer authentication failed/);
    const { uid } = attacker;
    const name = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((each) => each.split(':')[2] === String(uid));
    actAs(
      attacker,
      cluster,
      `echo 'local all all trust' > pg_hba.conf
      echo "server $1 postgres" >> pg_ident.conf
      for each in postgresql.conf postgresql.auto.conf; do
        echo "hba_file = '$PWD/pg_hba.conf'" >> $each; echo "ident_file = '$PWD/pg_ident.conf'" >> $each
      done
      kill -HUP "$2"`,
      name?.split(':')[0] ?? '',
      pid,
    );
    await setTimeout(500);
    for (const role of ['postgres', 'back_office'])
      assert.match(knock(attacker, sockets, role), /Peer authentication failed/, role);
    actAs(attacker, cluster, 'kill -INT "$1"', pid);
    const isBack = async () => (await fetch(`${server.url}readyz`)).status === 200 && postmaster()[0] !== pid;
    assert.ok(await eventually(() => isBack().catch(() => false), 20), 'the server starts it again');
    for (const role of ['postgres', 'back_office'])
      assert.match(knock(attacker, sockets, role), /Peer authentication failed/, `${role} after a restart`);
    await server.end('SIGTERM');
  });
}

test.run();
