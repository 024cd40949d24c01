/** What docs/deployment/ gives to operators: units of systemd that systemd accepts, and a container without rights. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { VERSION } from '../src/contract/version';
import { settingsTable } from '../src/server/core/settings';

const FOLDER = 'docs/deployment';
const PROGRAM = '/opt/gaming-back-office/bin/gaming-back-office';
const services = ['gaming-back-office.service', 'gaming-back-office-backup.service'];
const units = [...services, 'gaming-back-office-backup.timer'];
const text = (name: string) => readFileSync(join(FOLDER, name), 'utf8');

/** The most that `systemd-analyze security` may find exposed, of ten. */
const MOST_EXPOSED = 2;
const folder = mkdtempSync(join(tmpdir(), 'units-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));
/** The units as they would be installed, but with the program where it is here. */
test.before(() => {
  mkdirSync(folder, { recursive: true });
  for (const name of units)
    writeFileSync(join(folder, name), text(name).replaceAll(PROGRAM, resolve('src/build/gaming-back-office.sh')));
});
const analyze = (...words: string[]) => spawnSync('systemd-analyze', words, { cwd: folder, encoding: 'utf8' });
const withSystemd = analyze('--version').status === 0 ? test : test.skip;

withSystemd('systemd finds no fault in a unit (needs systemd-analyze)', () => {
  for (const name of units) {
    const { status, stderr } = analyze('verify', '--man=no', `./${name}`);
    assert.is(stderr, '', name);
    assert.is(status, 0, name);
  }
  writeFileSync(
    join(folder, 'wrong.service'),
    text(services[0]!).replace('ProtectSystem=strict', 'ProtectSystm=strict'),
  );
  assert.match(analyze('verify', './wrong.service').stderr, /ProtectSystm/, 'a fault would be seen');
});

withSystemd('the services are exposed as little as they can be (needs systemd-analyze)', () => {
  for (const name of services) {
    const { status, stdout } = analyze('security', '--offline=true', `--threshold=${MOST_EXPOSED * 10}`, `./${name}`);
    assert.is(status, 0, stdout);
    assert.ok(Number(/exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1]) < MOST_EXPOSED, stdout);
  }
});

test('the backup is fenced like the server, and finds its data and key', () => {
  const [server = '', backup = ''] = services.map(text);
  const lines = (unit: string) =>
    unit.split('\n').filter((line) => /^(Protect|Restrict|Private|Capab|System|No)/.test(line));
  assert.ok(lines(server).length > 15);
  assert.equal(lines(backup), lines(server));
  for (const line of ['User=gaming-back-office', 'EnvironmentFile=-/etc/gaming-back-office/env'])
    assert.ok(server.includes(`\n${line}\n`) && backup.includes(`\n${line}\n`), line);
  const settings = [...`${server}${backup}`.matchAll(/^Environment=(\w+)/gm)].map(([, name]) => name);
  assert.equal(
    [...new Set(settings)].filter((name) => !(name! in settingsTable)),
    ['TMPDIR'],
  );
});

test('the container has the archive alone, runs as a user without rights and says whether it is healthy', () => {
  const steps = text('Containerfile')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, '')
    .trim()
    .split(/\n+/)
    .map((line) => line.trim());
  const of = (name: string) => steps.filter((line) => line.startsWith(`${name} `));
  const known = 'ARG FROM ADD RUN USER ENV VOLUME EXPOSE HEALTHCHECK ENTRYPOINT CMD'.split(' ');
  assert.equal(
    steps.filter((line) => !known.includes(line.split(' ')[0]!)),
    [],
  );
  assert.equal(of('ADD'), [`ADD gaming-back-office-\${VERSION}-linux-x64.tar.gz /opt/`]);
  assert.ok(of('ARG').includes(`ARG VERSION=${VERSION}`));
  assert.match(
    of('ARG')[0] ?? '',
    /^ARG BASE=\S+:(2[2-9]|[3-9]\d)-\w+-slim$/,
    'a version of Node.js that is maintained',
  );
  assert.match(of('USER')[0] ?? '', /^USER [1-9]\d*:[1-9]\d*$/);
  assert.ok(steps.indexOf(of('USER')[0]!) < steps.indexOf(of('ENTRYPOINT')[0]!));
  const [entry = ''] = JSON.parse(of('ENTRYPOINT')[0]!.slice('ENTRYPOINT '.length)) as string[];
  assert.is(entry, PROGRAM);
  const health = JSON.parse(of('HEALTHCHECK')[0]!.replace(/^.*?CMD /, '')) as string[];
  assert.is(spawnSync(process.execPath, ['--check', '-'], { input: health[2] }).status, 0);
  assert.match(health[2]!, /\/readyz/);
});

test.run();
