/** What the newest version makes of API keys that an older one has created. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { startEmbedded } from '../../../src/server/db/embedded/embedded';
import { migrate } from '../../../src/server/db/migrate';
import { migrations } from '../../../src/server/db/migrations/list';
import { openDatabase } from '../../../src/server/db/open';

test('keys from before can do what they could, and all of them end', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keys-migration-')),
    embedded = await startEmbedded({ folder }),
    db = await openDatabase(embedded.address);
  try {
    await migrate(
      db,
      migrations.filter(({ name }) => name < '0018'),
    );
    await db.sql`insert into tenants (name, time_zone) values ('Acme', 'UTC')`;
    await db.sql`
      insert into admins (tenant_id, role_id, email, password_hash)
      select t.id, r.id, 'ann@acme.test', 'x' from tenants t, roles r limit 1`;
    await db.sql`
      insert into api_keys (tenant_id, name, prefix, key_hash, scopes, admin_id, expires_at, revoked_at)
      select t.id, k.name, 'gbk_x', sha256(k.name::bytea), k.scopes::text[], a.id, k.expires_at, k.revoked_at
      from tenants t, admins a, (values
        ('both', '{players:write,transactions:write}', null::timestamptz, null::timestamptz),
        ('money', '{transactions:write}', '2030-01-01', null),
        ('players', '{players:write}', null, null),
        ('revoked', '{transactions:write}', null, now())) as k (name, scopes, expires_at, revoked_at)`;
    await migrate(db);
    assert.equal(
      (
        await db.sql`
          select name, scopes, expires_at between now() + interval '364 days' and now() + interval '367 days' as year,
            expires_at = '2030-01-01' as kept
          from api_keys order by name`
      ).map((row) => [row['name'], row['scopes'].join(' '), row['year'], row['kept']]),
      [
        ['both', 'players:write transactions:write transactions:settle', true, false],
        ['money', 'transactions:write transactions:settle', false, true],
        ['players', 'players:write', true, false],
        ['revoked', 'transactions:write transactions:settle', null, null],
      ],
    );
  } finally {
    await db.close();
    await embedded.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

test.run();
