/** The first start: fills a new database before anybody signs in. */
import { randomBytes } from 'node:crypto';
import { manualRedeemPlatforms, platformLabels } from '../../contract/platforms';
import { createAuditShards, serverItself, writeEntry } from '../audit/auditLog';
import { hashPassword } from '../auth/passwords';
import type { Secrets } from '../auth/secrets';
import { RECORD_CALL } from '../books/compareWithAudit';
import { measureLedger, measureTerms } from '../books/measureLedger';
import type { Settings } from '../core/settings';
import { attempt } from '../db/attempt';
import { dropTables, migrate } from '../db/migrate';
import { type Database, DatabaseRefused, type Sql } from '../db/open';
import { fillDemo } from '../demo/fillDemo';
import { sealPendingRedeems } from '../ledger/payoutSeal';

// What every database has from its first start on: the platform's tenant, the game platforms, one super admin.
/** Their credentials are managed by the system. */
const apiPlatforms: readonly string[] = ['yolo', 'juwa777'];
const platforms = manualRedeemPlatforms.map((name) => ({
  name,
  display_name: platformLabels[name],
  platform_type: apiPlatforms.includes(name) ? 'api' : 'manual',
}));

/** Adds missing parts of tenant 1 and the eleven platforms, and changes nothing that exists. Runs at every start. */
export async function seedPlatform(sql: Sql, { timeZone }: { timeZone: string }): Promise<void> {
  const added = await sql`
    insert into tenants (id, name, description, time_zone) values (1, 'Platform', 'The platform itself', ${timeZone})
    on conflict (id) do nothing returning id`;
  // Only then: resetting the sequence while another server adds tenants could use an id twice.
  if (added.length)
    await sql`select setval(pg_get_serial_sequence('tenants', 'id'), greatest((select max(id) from tenants), 1))`;
  const present = await sql<{ name: string }[]>`select name from platforms`;
  const missing = platforms.filter(({ name }) => !present.some((platform) => platform.name === name));
  if (missing.length) await sql`insert into platforms ${sql(missing)} on conflict (name) do nothing`;
}

/** Creates the first super admin in tenant 1. Returns false when there is one already. */
export async function createFirstSuperAdmin(
  sql: Sql,
  { email, passwordHash }: { email: string; passwordHash: string },
): Promise<boolean> {
  const [taken] = await sql`
    select 1 from admins a join roles r on r.id = a.role_id
    where lower(a.email) = lower(${email.trim()}) and r.name <> 'super_admin'`;
  if (taken) throw new DatabaseRefused('ADMIN_EMAIL belongs to an account that is not a super admin; choose another.');
  const [present] = await sql`
    select 1 from admins a join roles r on r.id = a.role_id where r.name = 'super_admin' limit 1`;
  if (present) return false; // whoever sets up the database is alone
  return sql`
    insert into admins (tenant_id, role_id, email, password_hash)
    select 1, r.id, ${email.trim()}, ${passwordHash} from roles r
    where r.name = 'super_admin'
    on conflict do nothing returning id`.hasRow();
}

type SetupOptions = Pick<Settings, 'isDemo' | 'adminEmail' | 'adminPassword' | 'businessTimezone'>;

/** The first super admin. `password` is set only if it was generated; it is shown once. */
export interface FirstAdmin {
  email: string;
  password: string | undefined;
}

export interface Installation {
  is_demo: boolean;
  is_filled: boolean;
  key_check: string;
}

export async function readInstallation(sql: Sql): Promise<Installation | undefined> {
  return sql<Installation[]>`select is_demo, is_filled, key_check from installation`.first();
}

/** Encrypted when the audit log has begun and covers the ledger, so that nobody without the key makes it begin anew. */
const KEY_CHECK = 'this key opens this database, and its audit log has begun and covers its ledger with its terms';
const LOCK = 4_217_002; // a number of its own beside the one of migrate.ts: one server at a time

/** Fills an empty database, or refuses a wrong key and a mix of sample and real data. Returns the admin it made. */
export async function setUpDatabase(db: Database, secrets: Secrets, options: SetupOptions) {
  return db.tx(async (sql) => {
    // This transaction only holds the lock; the sample data is written in others.
    await sql`set local lock_timeout = 0`;
    await sql`set local statement_timeout = 0`;
    await sql`set local idle_in_transaction_session_timeout = 0`;
    await sql`select pg_advisory_xact_lock(${LOCK})`;
    // outside this transaction, whose lock on the table would block a new schema
    const installation = await readInstallation(db.sql);
    if (installation) refuseOther(installation, options);
    if (installation) refuseOtherKey(installation, secrets);
    if (installation?.is_filled) {
      await seedPlatform(sql, { timeZone: options.businessTimezone }); // adds what a newer version needs
      return undefined;
    }
    if (options.isDemo) {
      await fillSampleData(db, secrets, {
        timeZone: options.businessTimezone,
        isHalfWritten: installation !== undefined,
      });
      return undefined;
    }
    await seedPlatform(sql, { timeZone: options.businessTimezone });
    const admin = await makeFirstAdmin(sql, options);
    await createAuditShards(sql, secrets);
    await recordLedger(sql, secrets);
    await sql`
      insert into installation (is_demo, is_filled, key_check)
      values (false, true, ${encryptKeyCheck(secrets)})`;
    return admin;
  });
}

export const encryptKeyCheck = (secrets: Secrets): string => secrets.encrypt(KEY_CHECK, ['installation']);

/** Records once what the ledger holds, and seals pending redeems: from here on each transfer needs its entry. */
export async function recordLedger(sql: Sql, secrets: Secrets): Promise<void> {
  await sql`lock table transfers, transactions, redeems in share mode`;
  await sealPendingRedeems(sql, secrets);
  const measure = await measureLedger(sql);
  const { terms_sha256 } = await measureTerms(sql, measure.last_transaction);
  await writeEntry(sql, secrets, {
    call: RECORD_CALL,
    kind: 'other',
    id: null,
    tenant_id: null,
    after: { ...measure, terms_sha256 },
    admin_id: null,
    email: 'setup',
    address: serverItself.address,
    reason: null,
    note: null,
    request_id: serverItself.request_id,
  });
}

function refuseOther(installation: Installation, { isDemo }: SetupOptions): void {
  if (installation.is_demo && !isDemo) {
    throw new DatabaseRefused(
      'The database contains sample data with well-known passwords. ' +
        'Start with --demo, or set another DATA_DIR or DATABASE_URL.',
    );
  }
  if (!installation.is_demo && isDemo)
    throw new DatabaseRefused(
      'The database contains real data. Start without --demo, or set another DATA_DIR or DATABASE_URL.',
    );
}

/** Refuses any other key than that of the database, and a database whose audit log was begun by another version. */
export function refuseOtherKey({ key_check }: Installation, secrets: Secrets): void {
  const text = attempt(() => secrets.decrypt(key_check, ['installation']));
  if (text === undefined)
    throw new DatabaseRefused(
      'SECRET_KEY, or the key file in DATA_DIR, is not the key that this database was created with.',
    );
  if (text !== KEY_CHECK)
    throw new DatabaseRefused('The database was not set up by version 0.2.0. Start that on it first.');
}

/** Writes the sample data. If a killed server left it half-written, it is deleted first. */
async function fillSampleData(
  db: Database,
  secrets: Secrets,
  { timeZone, isHalfWritten }: { timeZone: string; isHalfWritten: boolean },
): Promise<void> {
  if (isHalfWritten) {
    await db.tx((sql) => dropTables(sql));
    await migrate(db);
  }
  await db.tx(async (sql) => {
    await sql`
      insert into installation (is_demo, is_filled, key_check)
      values (true, false, ${encryptKeyCheck(secrets)})`;
    await createAuditShards(sql, secrets);
    await seedPlatform(sql, { timeZone });
  });
  await fillDemo(db, { secrets });
  await db.tx(async (sql) => {
    await recordLedger(sql, secrets);
    await sql`update installation set is_filled = true`;
  });
}

async function makeFirstAdmin(sql: Sql, { adminEmail: email, adminPassword }: SetupOptions) {
  const password = adminPassword ?? randomBytes(15).toString('base64url');
  const isMade = await createFirstSuperAdmin(sql, { email, passwordHash: await hashPassword(password) });
  return isMade ? { email, password: adminPassword === undefined ? password : undefined } : undefined;
}
