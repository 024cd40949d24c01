/**
 * Serves an empty database by a process of its own, and sends it files as the app does. Fails when rows are lost, or
 * when memory grows with the file.
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createApi } from '../../../src/app/api/createApi';
import { noProgress, uploadBatches } from '../../../src/app/parts/imports/uploadBatches';
import type { ImportKind } from '../../../src/contract/imports';
import { closeAll } from '../../closing';
import { firstAdmin, killTree, newFolder, run } from '../../server/running';

const MEBI = 1024 * 1024;
const MOST_GROWTH = 64 * MEBI;
const say = (line: string) => process.stdout.write(`${line}\n`);

/** Bytes of a process that are in memory, as Linux tells. */
const memoryOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;

const players = (rows: number) =>
  new Blob([
    'source_id,email,first_name,last_name,phone_number,affiliate_id,created_at,credit_balance,bonus_balance\n',
    ...Array.from({ length: rows }, (_, n) => {
      const day = `2024-0${1 + (n % 9)}-11T10:00:00Z`;
      return (
        `P${n},player${n}@mail.test,First${n % 1000},"Last, ${n}",+1 555 ${n},AFF${n % 50},` +
        `${day},${n % 1000}.50,${n % 20}\n`
      );
    }),
  ]);
const money = (rows: number) =>
  new Blob([
    'source_id,user_source_id,type,status,amount,payment_method,platform,payout_method,payout_address,' +
      'initiated_at,completed_at,payment_reference\n',
    ...Array.from({ length: rows }, (_, n) => {
      const day = `2025-${String(1 + (n % 12)).padStart(2, '0')}-${String(1 + (n % 28)).padStart(2, '0')}`;
      const [type, status] =
        n % 50 === 0
          ? ['TOP_UP', 'pending']
          : n % 4 === 0
            ? ['REDEEM', 'success']
            : n % 9 === 0
              ? ['TOP_UP', 'failed']
              : ['TOP_UP', 'success'];
      const completedAt = status === 'pending' ? '' : `${day}T09:05:00Z`;
      return (
        `T${n},P${(n * 7919) % rows},${type},${status},${1 + (n % 500)}.25,Card,yolo,Cash Tag,$tag${n},` +
        `${day}T09:00:00Z,${completedAt},ref-${n}\n`
      );
    }),
  ]);

export async function main(args: string[]): Promise<number> {
  const rows = Number(parseArgs({ args, options: { rows: { type: 'string', default: '100000' } } }).values.rows);
  const folder = newFolder('bench-import');
  const server = await run({ dataDir: join(folder, 'data'), env: { LOG_LEVEL: 'silent' } });
  let isGood = true;
  try {
    const base = server.url.replace(/\/$/, '');
    const { access_token } = await createApi({ base }).login({ body: firstAdmin(server) });
    const api = createApi({ base, token: () => access_token });
    const { id: tenant_id } = await api.createTenant({ body: { name: 'Acme' } });

    const measure = async (
      what: string,
      kind: ImportKind,
      file: Blob,
      call: typeof api.importRows,
      wanted: { created: number; existing: number },
    ) => {
      const started = performance.now(),
        before = memoryOf(server.pid);
      let first = 0,
        peak = before,
        slowest = 0;
      const done = await uploadBatches(file, noProgress, {
        send: async ({ header, rows: text, firstLine }) => {
          const sent = performance.now();
          const answer = await call({ body: { tenant_id, kind, header, rows: text, first_line: firstLine } });
          slowest = Math.max(slowest, performance.now() - sent);
          return answer;
        },
        onProgress: (progress) => {
          const memory = memoryOf(server.pid);
          if (progress.rows <= rows / 10) first = Math.max(first, memory);
          peak = Math.max(peak, memory);
        },
        isStopped: () => false,
      });
      const seconds = (performance.now() - started) / 1000;
      say(
        `${what.padEnd(28)} ${(file.size / MEBI).toFixed(1)} MiB in ${seconds.toFixed(1)} s, ` +
          `${Math.round(rows / seconds)} rows a second, slowest batch ${Math.round(slowest)} ms; ` +
          `memory ${Math.round(peak / MEBI)} MiB, ${Math.round((peak - first) / MEBI)} more than after a tenth`,
      );
      isGood &&= done.created === wanted.created && done.existing === wanted.existing && peak - first < MOST_GROWTH;
    };
    for (const [kind, file] of [
      ['players', players(rows)],
      ['transactions', money(rows)],
    ] as const) {
      await measure(`${kind} checked`, kind, file, api.checkImport, { created: rows, existing: 0 });
      await measure(`${kind} imported`, kind, file, api.importRows, { created: rows, existing: 0 });
      await measure(`${kind} imported again`, kind, file, api.importRows, { created: 0, existing: rows });
    }
    return isGood ? 0 : 1;
  } finally {
    killTree(server.pid);
    await server.ended;
    await closeAll();
    rmSync(folder, { recursive: true, force: true });
  }
}
