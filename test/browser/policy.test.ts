/** The page's Content-Security-Policy has the hashes of its script and style, below a path and with another API too. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openPort, shut } from '../openPort';
import { demoData, enter, journey, newVisit, people, startDemo, type Visit } from './harness';

const folder = mkdtempSync(join(tmpdir(), 'policy-'));
let visit: Visit;
test.after(() => rmSync(folder, { recursive: true, force: true }));

/** Opens the login with this change to the page; what the browser refused. */
async function openChanged(change: (page: string) => string): Promise<string[]> {
  visit = await newVisit();
  const { page, url } = visit;
  await page.addInitScript(() => localStorage.setItem('colour_mode', 'dark'));
  await page.route(url, async (route) => {
    const response = await route.fetch(),
      html = await response.text();
    const { 'content-security-policy': ours, ...headers } = response.headers(); // another web server sends none
    assert.match(ours ?? '', "frame-ancestors 'none'");
    await route.fulfill({ response, headers, body: change(html) });
  });
  await page.goto(url);
  await page.getByLabel('Email').waitFor({ state: 'attached' });
  return visit.faults.splice(0).filter((fault) => fault.includes('Content Security Policy'));
}
const state = () =>
  visit.page.evaluate(() => ({
    isStyled: getComputedStyle(document.documentElement).getPropertyValue('--pico-color') !== '',
    theme: document.documentElement.dataset['theme'],
  }));

journey('the page as it was built is styled, and its script has run', async () => {
  assert.equal(await openChanged((page) => page), []);
  assert.equal(await state(), { isStyled: true, theme: 'dark' });
});

journey('a style with one byte more is refused', async () => {
  const refused = await openChanged((page) => page.replace('</style>', ' </style>'));
  assert.is(refused.length, 1);
  assert.match(refused[0] ?? '', 'style-src');
  assert.equal(await state(), { isStyled: false, theme: 'dark' });
});

journey('a script with one byte more is refused', async () => {
  const refused = await openChanged((page) => page.replace('</script>', ' </script>'));
  assert.is(refused.length, 1);
  assert.match(refused[0] ?? '', 'script-src');
  assert.equal(await state(), { isStyled: true, theme: undefined });
});

/** Serves a built app at /desk/ as any web server does, with no header of its own. */
async function serve(dist: string) {
  const types: Record<string, string> = { '.js': 'text/javascript', '.svg': 'image/svg+xml' };
  const server = createServer(({ url = '' }, response) => {
    const path = url.replace(/^\/desk\//, '').replace(/\?.*/, ''),
      ending = extname(path);
    response.setHeader('Content-Type', types[ending] ?? 'text/html; charset=utf-8');
    response.end(readFileSync(join(dist, ending ? path : 'index.html')));
  });
  return { origin: `http://127.0.0.1:${await openPort(server)}`, stop: () => shut(server) };
}

journey('below a path, with the API at another origin, people work and the browser refuses nothing', async () => {
  const { origin, stop } = await serve(join(folder, 'dist'));
  const api = await startDemo(demoData(), { CORS_ORIGINS: origin });
  try {
    for (const name of ['build.mjs', 'package-lock.json', 'src', 'static'])
      cpSync(name, join(folder, name), { recursive: true });
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    const options = ['build.mjs', '--base', '/desk/', '--api', api.url.replace(/\/$/, '')];
    const built = spawnSync(process.execPath, options, { cwd: folder, encoding: 'utf8' });
    assert.is(built.status, 0, built.stderr);

    const { page } = await enter('ann', `/users?search=${people.ann}`, { url: `${origin}/desk/` });
    await page.locator('tbody tr', { hasText: people.ann }).waitFor();
    assert.is(new URL(page.url()).pathname, '/desk/users');
  } finally {
    await api.end('SIGTERM');
    stop();
  }
});

test.run();
