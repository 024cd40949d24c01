/** A client that openapi-typescript makes of the description of the API, against a server on a port. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { listen } from '../../../src/server/http/listen';
import { newKey } from '../../integrations';
import { fetch, reset, send } from '../../world';

const run = promisify(execFile);

test('a generated client compiles, and does a purchase, a deposit and a redeem', async () => {
  await reset();
  mkdirSync('.test', { recursive: true });
  const folder = mkdtempSync(resolve('.test/client-'));
  const listener = await listen('127.0.0.1', 0, async (request) => {
    const { url, method, headers } = request;
    return fetch(url, { method, headers: Object.fromEntries(headers), body: (await request.text()) || null });
  });
  try {
    const [document, schema] = [join(folder, 'openapi.json'), join(folder, 'schema.d.ts')];
    writeFileSync(document, await (await send('GET', '/api/openapi.json')).text());
    await run('test/client/node_modules/.bin/openapi-typescript', [document, '-o', schema]);
    cpSync('test/client/client.ts', join(folder, 'client.ts'));
    const options = { compilerOptions: { noEmit: true, incremental: false }, files: ['client.ts'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ extends: '../../tsconfig.json', ...options }));
    const compiled = await run('node_modules/.bin/tsc', ['-p', folder]).catch(({ stdout }) => ({ stdout }));
    assert.is(compiled.stdout, '');
    const [source, bundled] = [join(folder, 'client.ts'), join(folder, 'client.mjs')];
    await run('node_modules/.bin/esbuild', [
      source,
      '--bundle',
      '--format=esm',
      '--platform=node',
      `--outfile=${bundled}`,
    ]);
    const API = listener.address.replace(/\/$/, '');
    const env = { ...process.env, API, KEY: (await newKey()).key };
    const { stdout } = await run(process.execPath, [bundled], { env });
    assert.equal(JSON.parse(stdout), {
      types: ['TOP_UP', 'DEPOSIT', 'REDEEM'],
      waits: 'pending',
      settled: ['success', 'success', 'success'],
    });
  } finally {
    await listener.close(0);
    rmSync(folder, { recursive: true });
  }
});

test.run();
