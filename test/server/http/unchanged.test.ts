/** What it costs that nothing is new, in bytes on the line. */
import { connect } from 'node:net';
import { pino } from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createApp } from '../../../src/server/app';
import { listen } from '../../../src/server/http/listen';
import { ann } from '../../callers';
import { db, pam, people, reset, services, tokenOf } from '../../world';

/** Sends requests one after another on one connection; what came back for each, as it was on the line. */
async function exchange(port: number, requests: readonly ((before: string) => string)[]): Promise<Buffer[]> {
  const socket = connect(port, '127.0.0.1');
  const answers: Buffer[] = [];
  try {
    for (const request of requests) {
      let got = Buffer.alloc(0);
      socket.write(request(answers.at(-1)?.toString() ?? ''));
      await new Promise<void>((resolve, reject) => {
        const onData = (part: Buffer) => {
          got = Buffer.concat([got, part]);
          const text = got.toString('latin1'),
            head = text.indexOf('\r\n\r\n') + 4;
          const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
          if (head < 4 || (/transfer-encoding/i.test(text) ? !text.endsWith('0\r\n\r\n') : got.length < head + length))
            return;
          socket.off('data', onData);
          resolve();
        };
        socket.on('data', onData).once('error', reject);
      });
      answers.push(got);
    }
  } finally {
    socket.destroy();
  }
  return answers;
}

test('an open queue that learns nothing new costs at most 300 bytes', async () => {
  await reset();
  const token = await tokenOf('ann');
  await ann.claimRow({ body: { id: pam.redeem } });
  const app = createApp({ db, services, log: pino({ level: 'silent' }), trustProxy: 0, corsOrigins: [] });
  const listener = await listen('127.0.0.1', 0, app.fetch);
  try {
    const ask = (tag = '') =>
      `${[
        'GET /api/v1/admin/list-watch?list=redeems&after_id=1 HTTP/1.1',
        'Host: localhost',
        `Authorization: Bearer ${token}`,
        ...(tag && [`If-None-Match: ${tag}`]),
      ].join('\r\n')}\r\n\r\n`;
    const again = (before: string) => ask(/etag: (.+)\r\n/i.exec(before)?.[1]);
    const [first, second, third] = await exchange(Number(new URL(listener.address).port), [() => ask(), again, again]);
    assert.match(String(first), /^HTTP\/1.1 200 [\s\S]*ann@acme\.test/);
    assert.match(String(first), /Content-Security-Policy/i);
    for (const unchanged of [second!, third!]) {
      assert.match(String(unchanged), /^HTTP\/1.1 304 /);
      assert.ok(unchanged.length <= 300, `${unchanged.length} bytes:\n${unchanged}`);
    }
    await ann.releaseRow({ id: pam.redeem });
    const [changed] = await exchange(Number(new URL(listener.address).port), [() => again(String(first))]);
    assert.match(String(changed), /^HTTP\/1.1 200 /);
    assert.not.match(String(changed), new RegExp(people.ann.email));
  } finally {
    await listener.close(100);
  }
});

test.run();
