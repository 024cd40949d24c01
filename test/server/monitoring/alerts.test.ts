/** The alert rules and the dashboard in docs/ ask for metrics that the server has, and each alert says what to do. */
import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../../src/contract/allCalls';
import { createMonitor } from '../../../src/server/monitoring/monitor';
import { db, reset, services } from '../../world';

const read = (file: string) => readFileSync(`docs/${file}`, 'utf8');
const [rules, dashboard, page] = [
  read('monitoring/alerts.yml'),
  read('monitoring/dashboard.json'),
  read('monitoring.md'),
];
const matches = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = '']) => name);

test.before(reset);

/** The names of all metrics, and the values of each label. */
async function readKnown() {
  const monitor = createMonitor({ version: '1.2.3', db, sessions: services.sessions });
  monitor.answered({ method: 'GET', path: '/healthz', status: 200, ms: 1 });
  const text = await monitor.read();
  const lines = text.split('\n').filter((line) => line && !line.startsWith('#'));
  return {
    names: new Set([...matches(text, /^# TYPE (\S+)/gm), ...lines.map((line) => line.split(/[{ ]/)[0]!)]),
    types: new Map(matches(text, /^# TYPE (\S+ \S+)$/gm).map((line) => line.split(' ') as [string, string])),
    has: (label: string, value: string) => text.includes(`${label}="${value}"`),
  };
}
const named = (text: string): Set<string> => new Set(matches(text, /\b((?:backoffice|nodejs|process)_\w+)/g));

test('every metric that an alert or the dashboard asks for exists, and is used as what it is', async () => {
  const { names, types } = await readKnown();
  for (const [file, text] of [
    ['alerts.yml', rules],
    ['dashboard.json', dashboard],
  ] as const) {
    const used = [...named(text)];
    assert.ok(used.length > 8, file);
    const unknown = used.filter((name) => !names.has(name));
    assert.equal(unknown, [], file);
    // Only what counts has a rate.
    for (const name of matches(text, /(?:rate|increase)\(\s*(\w+)/g)) {
      const base = name.replace(/_bucket$/, '');
      assert.ok(['counter', 'histogram'].includes(types.get(base) ?? ''), `${file}: ${name}`);
    }
  }
});

test('every value of a label that they ask for is one that the server gives', async () => {
  const { has } = await readKnown();
  const asked = [...`${rules}${dashboard}`.matchAll(/\b(call|reason|kind|state|by)(?:=|=~|!~)\\?"([^"\\]+)\\?"/g)];
  assert.ok(asked.length > 1);
  for (const [, label = '', pattern = ''] of asked)
    for (const value of pattern.split('|')) {
      const isKnown = label === 'call' ? Object.keys(calls).some((name) => new RegExp(`^${value}$`).test(name)) : false;
      assert.ok(isKnown || has(label, value), `${label}="${value}"`);
    }
});

test('every metric of the server is in docs/monitoring.md, and every one there exists', async () => {
  const { names, types } = await readKnown();
  const documented = [...named(page)];
  const unknown = documented.filter((name) => !names.has(name) && !name.endsWith('_'));
  assert.equal(unknown, []);
  const ours = [...types.keys()].filter((name) => name.startsWith('backoffice_'));
  assert.ok(ours.length > 15);
  const silent = ours.filter((name) => !page.includes(`\`${name}\``));
  assert.equal(silent, []);
});

test('each alert has a section in docs/monitoring.md that says what to do, and each section an alert', () => {
  const alerts = matches(rules, /- alert: (\w+)/g);
  assert.ok(alerts.length > 10);
  assert.equal(matches(page, /^### (\w+)$/gm).toSorted(), alerts.toSorted());
  const links = alerts.map((name) => name.toLowerCase());
  assert.equal(matches(rules, /runbook: docs\/monitoring\.md#(\S+)/g), links);
});

test.run();
