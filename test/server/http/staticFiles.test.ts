import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { staticFiles } from '../../../src/server/http/staticFiles';

const folders: string[] = [];
test.after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

const script = 'console'.repeat(50),
  hashed = 'assets/main-ABCD1234.js';
const policy = "default-src 'none'; script-src 'self' 'sha256-AAAA='";
function site({ base = '/', marks }: { base?: string; marks?: Parameters<typeof staticFiles>[1] } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'dist-'));
  folders.push(folder);
  mkdirSync(join(folder, 'assets'));
  const put = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(text));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(text));
  };
  put(
    'index.html',
    `<!doctype html><html lang="en"><meta http-equiv="Content-Security-Policy" content="${policy}">` +
      `<base href="${base}"><p>the page</p>`,
  );
  put(hashed, script);
  writeFileSync(join(folder, 'icon.svg'), '<svg/>');
  writeFileSync(join(folder, 'secret.key'), 'secret');
  const app = new Hono();
  app.get('*', staticFiles(folder, marks));
  return async (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    app.request(path, { headers, method });
}
const browser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

test('the page is at the root and at every address of the app, never kept', async () => {
  const get = site();
  for (const path of ['/', '/index.html', '/users?search=a@b.test', '/tenant/2/admin']) {
    const response = await get(path, browser);
    assert.is(response.status, 200);
    assert.match(await response.text(), 'the page');
    assert.is(response.headers.get('Cache-Control'), 'no-cache');
    assert.is(response.headers.get('Content-Type'), 'text/html; charset=utf-8');
  }
});

test('the page of the sample data alone says that it is one, under the same policy', async () => {
  const [real, demo] = [await site()('/', browser), await site({ marks: () => ['data-demo'] })('/', browser)];
  assert.not.match(await real.text(), 'data-demo');
  assert.match(await demo.text(), '<html data-demo lang="en">');
  assert.is(demo.headers.get('Content-Security-Policy'), real.headers.get('Content-Security-Policy'));
});

test('the page says what the server offers while it does, or at its own address alone', async () => {
  let marks = ['data-mail', 'data-passkeys'];
  const get = site({ marks: (path) => (path.endsWith('/sso/2') ? ['data-sso'] : marks) });
  const page = async (path: string) => (await get(path, browser)).text();
  assert.match(await page('/'), '<html data-mail data-passkeys lang="en">');
  assert.match(await page('/sso/2'), '<html data-sso lang="en">');
  marks = [];
  assert.match(await page('/'), '<html lang="en">');
});

test('an address that looks like another host gets no page', async () => {
  for (const get of [site(), site({ base: '/bo/' })])
    for (const path of ['//other.example/', '//other.example/users'])
      assert.is((await get(`http://localhost${path}`, browser)).status, 404, path);
});

test('a missing file is a 404, and no other file of the folder is served [ASVS 13.4.3]', async () => {
  const get = site();
  const missing = ['/assets/gone-ABCD1234.js', '/assets/gone', '/favicon.ico', '/assets/'];
  const kept = ['/secret.key', '/assets/main-ABCD1234.js.br', '/../package.json', '/..%2fpackage.json'];
  for (const path of [...missing, ...kept]) assert.is((await get(path, browser)).status, 404, path);
  assert.is((await get('/users', { Accept: 'application/json' })).status, 404);
  assert.is((await get('/%E0%A4%A')).status, 400);
});

test('a call with a slash too many before it is no page', async () => {
  const get = site();
  for (const path of ['//api/v1/platforms/all', '///api/v1/platforms/all', '//assets/gone'])
    assert.is((await get(`http://test${path}`)).status, 404, path);
});

test('a hashed file is kept for ever, another one is asked for again', async () => {
  const get = site();
  assert.is((await get(`/${hashed}`)).headers.get('Cache-Control'), 'public, max-age=31536000, immutable');
  assert.is((await get('/icon.svg')).headers.get('Cache-Control'), 'no-cache');
});

test('the compressed file is sent to whoever takes it', async () => {
  const get = site();
  const encoded = async (accept: string) => {
    const response = await get(`/${hashed}`, { 'Accept-Encoding': accept }),
      bytes = Buffer.from(await response.arrayBuffer());
    assert.is(response.headers.get('Vary'), 'Accept-Encoding');
    assert.is(response.headers.get('Content-Length'), String(bytes.length));
    assert.is(response.headers.get('Content-Type'), 'text/javascript; charset=utf-8');
    const encoding = response.headers.get('Content-Encoding');
    const text = encoding === 'br' ? brotliDecompressSync(bytes) : encoding === 'gzip' ? gunzipSync(bytes) : bytes;
    assert.is(text.toString(), script);
    return encoding;
  };
  assert.is(await encoded('gzip, deflate, br'), 'br');
  assert.is(await encoded('gzip'), 'gzip');
  assert.is(await encoded('br;q=0, gzip;q=0.5'), 'gzip');
  assert.is(await encoded(''), null);
});

test('what is known already is not sent again', async () => {
  const get = site();
  const first = await get('/', { ...browser, 'Accept-Encoding': 'br' }),
    etag = first.headers.get('ETag') ?? '';
  const again = await get('/', { ...browser, 'Accept-Encoding': 'br', 'If-None-Match': `"x", W/${etag}` });
  assert.is(again.status, 304);
  assert.is(await again.text(), '');
  for (const name of ['Cache-Control', 'Content-Security-Policy', 'ETag', 'Vary'])
    assert.is(again.headers.get(name), first.headers.get(name), name);
  assert.is((await get('/', { ...browser, 'If-None-Match': etag })).status, 200, 'another encoding is another thing');
});

test('a part of a file is answered with the whole of it', async () => {
  const response = await site()(`/${hashed}`, { Range: 'bytes=0-9' });
  assert.is(response.status, 200);
  assert.is(await response.text(), script);
});

test('HEAD tells the same without the body', async () => {
  const response = await site()(`/${hashed}`, {}, 'HEAD');
  assert.is(response.status, 200);
  assert.is(response.headers.get('Content-Length'), String(script.length));
  assert.is(await response.text(), '');
});

test('the page is sent with its own policy as a header, and with what only a header can say', async () => {
  const { headers } = await site()('/', browser);
  assert.is(headers.get('Content-Security-Policy'), `${policy}; frame-ancestors 'none'`);
});

test('below a path everything is below it, and the root leads there', async () => {
  const get = site({ base: '/backoffice/' });
  assert.is((await get('/backoffice/users', browser)).status, 200);
  assert.is((await get(`/backoffice/${hashed}`)).status, 200);
  assert.is((await get(`/${hashed}`)).status, 404);
  const root = await get('/');
  assert.is(root.status, 302);
  assert.is(root.headers.get('Location'), '/backoffice/');
  assert.is((await get('/backoffice', browser)).status, 200);
});

test('without a build one sentence says so', async () => {
  const app = new Hono();
  app.get('*', staticFiles(join(tmpdir(), 'nothing-here')));
  assert.match(await (await app.request('/')).text(), 'npm run build');
});

test.run();
