/** Writes the backup of the present schema that later versions must be able to restore and migrate. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readManifest } from '../../../src/server/backup/manifest';
import { migrations } from '../../../src/server/db/migrations/list';
import { newFolder, run, serverBundle } from '../running';
import { fillServer, owner } from './fillServer';

const BACKUPS = 'test/server/upgrade/backups';

export async function make(): Promise<string> {
  const target = resolve(BACKUPS, migrations.at(-1)!.name);
  if (existsSync(target)) throw new Error(`${target} exists already`);
  const dataDir = newFolder('released');
  try {
    const env = { ADMIN_EMAIL: owner.email, ADMIN_PASSWORD: owner.password, APP_URL: 'https://released.test' };
    const server = await run({ dataDir, env });
    const key = join(dataDir, 'secret.key');
    await fillServer(server.url, dataDir, Buffer.from(readFileSync(key, 'utf8').trim(), 'base64'));
    await server.end('SIGTERM');
    for (const words of [['change-key'], ['backup', target]]) {
      const { status, stderr } = spawnSync(process.execPath, [await serverBundle(), ...words], {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], DATA_DIR: dataDir },
      });
      if (status !== 0) throw new Error(`${words[0]}: ${stderr}`);
    }
    cpSync(key, join(target, 'secret.key'));
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
  const empty = readManifest(target).tables.filter(({ rows }) => rows === 0);
  if (empty.length) {
    rmSync(target, { recursive: true });
    throw new Error(`no rows in ${empty.map(({ name }) => name).join(', ')}: add some in fillServer.ts`);
  }
  const bytes = readdirSync(target).reduce((sum, name) => sum + statSync(join(target, name)).size, 0);
  return `${target}: ${readManifest(target).tables.length} tables, ${Math.ceil(bytes / 1024)} KiB`;
}
