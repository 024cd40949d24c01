/** Every route, tab and dialog of the app is looked at with axe in a real browser. */
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { adminAdditions, adminViews, managerViews, superAdditions, superViews } from '../browser/axeViews';

const FILE = 'test/browser/axeViews.ts';
const views = [...superViews, ...superAdditions, ...adminViews, ...adminAdditions, ...managerViews];
const app = readFileSync('src/app/App.tsx', 'utf8');
const none = (missing: readonly string[], what: string) =>
  assert.is(missing.map((name) => `${what} '${name}' is not in ${FILE}: add a view of it`).join('\n'), '');

test('every route of App.tsx is looked at with axe', () => {
  const routes = [...app.matchAll(/^ {2}'(\/[a-z-]+)': \w+,$/gm)].map(([, path = '']) => path);
  assert.ok(routes.length > 5);
  const paths = views.map(({ path }) => path.replace(/\?.*/, ''));
  none(
    routes.filter((route) => !paths.includes(route)),
    'the route',
  );
});

test("every tab of a tenant's view is looked at with axe", () => {
  const [, list = ''] = /const buildTabs = .*?\(\{(.*?)\}\);/s.exec(app) ?? [];
  const tabs = [...list.matchAll(/(?:^ {2}|&& \{ )'?([\w ]+)'?: </gm)].map(([, name = '']) => name);
  assert.ok(tabs.length > 4);
  const seen = views.map(({ path }) => new URLSearchParams(path.split('?')[1] ?? '').get('tab'));
  none(
    tabs.slice(1).filter((name) => !seen.includes(name.toLowerCase().replaceAll(' ', '-'))),
    'the tab',
  );
});

/** Dialogs of one field, which are made of the parts of the others. */
const small = ['Save view', 'Rename view'];
test('every dialog that has a title of its own is looked at with axe', () => {
  const source = readdirSync('src/app', { recursive: true })
    .map((name) => `src/app/${name}`)
    .filter((name) => name.endsWith('.tsx'))
    .map((name) => readFileSync(name, 'utf8'))
    .join('\n');
  const dialogs = [...source.matchAll(/<\w*Dialog\s+title=(?:"([^"]+)"|\{([^}]*'[^}]*)\})/g)].flatMap(
    ([, title, choice]) =>
      title ? [title] : [...(choice ?? '').matchAll(/'([A-Z][^']+)'/g)].map(([, one = '']) => one),
  );
  assert.ok(dialogs.length > 15, String(dialogs.length));
  const text = [FILE, ...['axe', 'passkeys', 'sso'].map((name) => `test/browser/${name}.test.ts`)]
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  none(
    dialogs.filter((title) => !small.includes(title) && !text.includes(title)),
    'the dialog',
  );
});

test.run();
