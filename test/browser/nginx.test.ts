/**
 * The configurations of docs/deployment.md, each in its real server: dist/ under /backoffice/ with one line edited, the
 * API behind the same server.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { enter, PASSWORD, people, startedServer } from './harness';
import { type Delivery, hasCaddy, hasNginx, hasNginxBrotli, startCaddy, startNginx } from './nginx';

const DIST = 'dist';
const assets = existsSync(`${DIST}/assets`)
  ? readdirSync(`${DIST}/assets`).filter((name) => /\.(js|css)$/.test(name))
  : [];
const servers = [
  { name: 'nginx', start: startNginx, isHere: hasNginx(), hasBrotli: hasNginxBrotli() },
  { name: 'Caddy', start: startCaddy, isHere: hasCaddy(), hasBrotli: true },
];

/** As it comes over the line: nothing followed, nothing unpacked. */
function get(url: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }>((done, fail) => {
    request(url, { headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('error', fail)
        .on('end', () =>
          done({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }),
        );
    })
      .on('error', fail)
      .end();
  });
}
const isPage = ({ status, headers, body }: Awaited<ReturnType<typeof get>>) =>
  status === 200 && /^text\/html/.test(headers['content-type'] ?? '') && body.includes('<base href="/backoffice/">');

for (const { name, start, isHere, hasBrotli } of servers) {
  const test = suite(`The app behind ${name}`);
  const check = isHere ? test : Object.assign(test.skip, { before: () => {}, after: () => {} });
  if (!isHere) process.stderr.write(`${name} is not installed: its configuration is not tried here.\n`);
  let delivery: Delivery | undefined,
    url = '';
  check.before(async () => {
    delivery = await start({ dist: DIST, apiPort: Number(new URL((await startedServer()).url).port) });
    url = delivery.url;
  });
  check.after(async () => {
    await delivery?.stop();
  });

  check(`${name} answers the app's address and every deep link with the page, never to be kept`, async () => {
    const deep = ['users', 'users?search=pam%40mail.test', 'tenant/2/admin?tab=Purchases', 'payment-methods'];
    for (const path of ['', ...deep]) {
      const answer = await get(url + path);
      assert.ok(isPage(answer), `${path}: ${answer.status}`);
      assert.is(answer.headers['cache-control'], 'no-cache');
    }
  });

  check(`${name} sends the address without its closing slash to the app`, async () => {
    const { status, headers } = await get(url.slice(0, -1));
    assert.is(status, 301);
    assert.is(new URL(headers.location ?? '', url).href, url);
  });

  check(`${name} says 404 to a missing file, and lets nobody keep that`, async () => {
    for (const path of ['assets/main-MISSING1.js', 'assets/missing.css', 'missing.png', 'deep/er/missing.js']) {
      const answer = await get(url + path);
      assert.is(answer.status, 404, path);
      assert.not.match(answer.headers['cache-control'] ?? '', 'immutable');
    }
  });

  check(`${name} sends the file compressed beforehand, and lets it be kept for good`, async () => {
    assert.ok(assets.length > 1, 'dist/ is built');
    for (const asset of assets) {
      for (const [accepted, encoding, ending] of [
        ['gzip, deflate, br', hasBrotli ? 'br' : 'gzip', hasBrotli ? '.br' : '.gz'],
        ['gzip', 'gzip', '.gz'],
        ['identity', undefined, ''],
      ] as const) {
        const { status, headers, body } = await get(`${url}assets/${asset}`, { 'Accept-Encoding': accepted });
        assert.is(status, 200);
        assert.is(headers['content-encoding'], encoding, `${asset} for ${accepted}`);
        assert.ok(body.equals(readFileSync(`${DIST}/assets/${asset}${ending}`)), `${asset}${ending} is what is sent`);
        assert.match(headers['cache-control'] ?? '', /max-age=31536000.*immutable/);
        assert.match(headers.vary ?? '', /accept-encoding/i);
        assert.match(
          headers['content-type'] ?? '',
          asset.endsWith('.js') ? /^(text|application)\/javascript/ : /^text\/css/,
        );
      }
    }
  });

  check(`${name} compresses the page, and answers an unchanged one with 304`, async () => {
    const { headers } = await get(url, { 'Accept-Encoding': 'gzip' });
    assert.is(headers['content-encoding'], 'gzip');
    const plain = await get(url);
    const again = await get(url, { 'If-None-Match': plain.headers.etag ?? '' });
    assert.is(again.status, 304);
  });

  check(
    `${name} sends what a policy in the page cannot say: no frames, no guessing of types, no referrer`,
    async () => {
      const theirs = await get(url);
      assert.is(theirs.headers['content-security-policy'], "frame-ancestors 'none'");
      assert.match(
        theirs.body.toString(),
        /<meta http-equiv="Content-Security-Policy" content="[^"]*script-src 'self' 'sha256-/,
      );
      assert.is(theirs.headers['x-content-type-options'], 'nosniff');
      assert.is(theirs.headers['referrer-policy'], 'no-referrer');
    },
  );

  check(`${name} passes calls on to the API, and its answers back as they are`, async () => {
    const origin = new URL(url).origin;
    const signedIn = await fetch(`${origin}/api/v1/auth/login/json`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: people.super, password: PASSWORD }),
    });
    assert.is(signedIn.status, 200);
    const { access_token } = await signedIn.json();
    const players = await fetch(`${origin}/api/v1/admin/user-management/users/?page_size=50`, {
      headers: { Authorization: `Bearer ${access_token}` },
    });
    assert.is(players.headers.get('content-encoding'), 'gzip');
    assert.is((await players.json()).users.length, 50);

    const direct = await get(new URL('/api/v1/nothing', (await startedServer()).url).href),
      through = await get(`${origin}/api/v1/nothing`);
    assert.is(through.status, 404);
    for (const header of ['content-type', 'content-security-policy', 'x-content-type-options', 'cache-control'])
      assert.is(through.headers[header], direct.headers[header], header);
  });

  check(`a person signs in behind ${name} and reloads a deep link, and the browser refuses nothing`, async () => {
    const visit = await enter('ann', '/', { url }),
      { page, goTo, faults } = visit;
    await goTo('/users?search=ann%40acme.test');
    await page.locator('tbody tr', { hasText: 'ann@acme.test' }).waitFor();
    await page.reload();
    await page.locator('tbody tr', { hasText: 'ann@acme.test' }).waitFor();
    assert.is(new URL(page.url()).pathname, '/backoffice/users');
    assert.equal(faults, []);
    await visit.close();
  });

  test.run();
}
