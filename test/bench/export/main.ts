/**
 * Fills a database of its own, serves it, and measures what a person waits for: files, pages and counts.
 * Fails when a file takes more than 5 seconds.
 */

import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { createApi } from '../../../src/app/api/createApi';
import { createApp } from '../../../src/server/app';
import { createAuditShards } from '../../../src/server/audit/auditLog';
import { createRateLimits } from '../../../src/server/auth/rateLimits';
import { createSecrets } from '../../../src/server/auth/secrets';
import { createSessions } from '../../../src/server/auth/sessions';
import { startEmbedded } from '../../../src/server/db/embedded/embedded';
import { migrate } from '../../../src/server/db/migrate';
import { openDatabase, type TransactionSql } from '../../../src/server/db/open';
import { seedPlatform } from '../../../src/server/db/seed';
import { listen } from '../../../src/server/http/listen';

const MOST_SECONDS = 5;
const MEBI = 1024 * 1024;
const say = (line: string) => process.stdout.write(`${line}\n`);

async function fill(sql: TransactionSql, rows: number): Promise<number> {
  await sql`set local statement_timeout = 0`;
  await seedPlatform(sql, { timeZone: 'UTC' });
  await sql`insert into tenants (name, time_zone) values ('Acme', 'America/New_York')`;
  await sql`
    insert into players (tenant_id, email, first_name, last_name, phone_number, affiliate_id, created_at)
    select 2, 'player' || n || '@mail.test', 'First' || n % 1000, 'Last' || n, '+1 555 ' || n, 'AFF' || n % 50,
      now() - n * interval '1 minute'
    from generate_series(1, ${rows}::int) n`;
  await sql`
    insert into wallets (tenant_id, player_id, credit_balance, individual_ggr)
    select 2, id, id % 1000, id % 77 - 30 from players`;
  await sql`
    insert into transactions
      (tenant_id, player_id, transaction_type, status, amount, net_amount, payment_method,
      payment_reference, description, initiated_at, completed_at)
    select 2, 1 + n % ${rows}::int, 'TOP_UP', s.status, 1 + n % 500, n % 500,
      (array['Card', 'Bitcoin', 'PayPal'])[1 + n % 3], 'REF-' || md5(n::text), 'Order ' || n,
      now() - n * interval '20 seconds', case when s.status <> 'pending' then now() - n * interval '19 seconds' end
    from generate_series(1, ${rows}::int) n,
      lateral (
        select case when n % 200 = 0 then 'pending' when n % 10 = 0 then 'failed' else 'success' end as status) s`;
  const [admin] = await sql<{ id: number }[]>`
    insert into admins (tenant_id, role_id, email, password_hash)
    select 2, id, 'ann@acme.test', 'x' from roles where name = 'admin'
    returning id`;
  return admin!.id;
}

async function measureFile(name: string, address: string, path: string, token: string): Promise<boolean> {
  const before = process.memoryUsage().rss,
    started = performance.now();
  let bytes = 0,
    lines = 0,
    peak = before;
  const response = await fetch(address + path, {
    headers: { Authorization: `Bearer ${token}`, 'Accept-Encoding': 'identity' },
  });
  if (!response.ok || !response.body) throw new Error(`${name}: ${response.status}`);
  for await (const part of response.body) {
    bytes += part.length;
    for (const byte of part) if (byte === 10) lines += 1;
    peak = Math.max(peak, process.memoryUsage().rss);
  }
  const seconds = (performance.now() - started) / 1000;
  say(
    `${name.padEnd(40)} ${lines - 1} rows, ${(bytes / MEBI).toFixed(1)} MiB in ${seconds.toFixed(2)} s, ` +
      `at most ${((peak - before) / MEBI).toFixed(0)} MiB more memory`,
  );
  return seconds <= MOST_SECONDS;
}

async function measureCall(name: string, call: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let run = 0; run < 7; run++) {
    const started = performance.now();
    await call();
    times.push(performance.now() - started);
  }
  say(`${name.padEnd(40)} ${times.toSorted((a, b) => a - b)[3]!.toFixed(1)} ms (median of 7)`);
}

export async function main(args: string[]): Promise<number> {
  const rows = Number(parseArgs({ args, options: { rows: { type: 'string', default: '100000' } } }).values.rows);
  const folder = mkdtempSync(join(tmpdir(), 'bench-export-'));
  chmodSync(folder, 0o711);
  const embedded = await startEmbedded({ folder });
  const db = await openDatabase(embedded.address);
  try {
    await migrate(db);
    const admin = await db.tx((sql) => fill(sql, rows));
    const secrets = createSecrets(randomBytes(32));
    await db.tx((sql) => createAuditShards(sql, secrets));
    await db.sql`analyze`;
    const services = {
      secrets,
      sessions: createSessions({ idleMinutes: 30, hours: 12 }),
      rateLimits: createRateLimits(db.sql, secrets),
      businessTimeZone: 'UTC',
    };
    const app = createApp({ db, services, log: pino({ level: 'silent' }), trustProxy: 0, corsOrigins: [] });
    const listener = await listen('127.0.0.1', 0, app.fetch);
    const { token } = await services.sessions.start(db.sql, admin, 'bench');
    const address = listener.address.replace(/\/$/, '');
    const api = createApi({ base: address, token: () => token });

    await measureCall('pending first, first page', () =>
      api.listPurchases({ order: 'pending_first', transaction_type: 'TOP_UP' }),
    );
    await measureCall('pending first, page 200', () =>
      api.listPurchases({ order: 'pending_first', transaction_type: 'TOP_UP', page: 200 }),
    );
    await measureCall('a reference', () =>
      api.listPurchases({ order: 'pending_first', transaction_type: 'TOP_UP', text: 'Order 4321' }),
    );
    await measureCall('an e-mail', () =>
      api.listPurchases({ order: 'pending_first', transaction_type: 'TOP_UP', text: 'player4321@' }),
    );
    await measureCall('text that half of them contain', () =>
      api.listPurchases({ order: 'pending_first', transaction_type: 'TOP_UP', text: 'order' }),
    );
    await measureCall('a day, a method, an amount', () =>
      api.listPurchases({
        transaction_type: 'TOP_UP',
        from_date: '2020-01-01',
        method: 'paypal',
        min_amount: '400',
        status: 'failed',
      }),
    );
    await measureCall('count of all', () => api.countListed({ list: 'purchases' }));
    await measureCall('count of a text', () => api.countListed({ list: 'purchases', text: 'Order 4321' }));
    await measureCall('pending counts', () => api.countPending());
    const results = [
      await measureFile(
        'purchases as CSV',
        address,
        '/api/v1/admin/purchases/export?transaction_type=TOP_UP&order=pending_first',
        token,
      ),
      await measureFile(
        'users as CSV',
        address,
        '/api/v1/admin/user-management/users/export?sort_by=credit_balance',
        token,
      ),
      await measureFile(
        'purchases as CSV, once more',
        address,
        '/api/v1/admin/purchases/export?transaction_type=TOP_UP',
        token,
      ),
    ];
    await listener.close(1000);
    return results.every(Boolean) ? 0 : 1;
  } finally {
    await db.close();
    await embedded.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
