/** The README and docs/ name files, sections and scripts that exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ruleKinds } from '../src/contract/notifications';

const docs = readdirSync('docs', { recursive: true })
  .map(String)
  .filter((name) => name.endsWith('.md'));
const pages = ['README.md', 'SECURITY.md', ...docs.map((name) => `docs/${name}`)];
const text = (file: string) => readFileSync(file, 'utf8');
/** What a pattern's first group finds, with the page it is on; each once. */
const named = (pattern: RegExp): Named[] =>
  pages.flatMap((page) => {
    const names = new Set([...text(page).matchAll(pattern)].map(([, name = '']) => name));
    return [...names].map((name) => ({ page, name }));
  });
interface Named {
  page: string;
  name: string;
}
const list = (found: readonly Named[]) => found.map(({ page, name }) => `${page}: ${name}`).join('\n');

/** The anchor that Markdown viewers give a heading. */
const toAnchor = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
const anchors = (file: string) => [...text(file).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => toAnchor(title));

test('every link leads to a file or a section that exists', () => {
  const links = named(/\]\(([^)\s]+)\)/g);
  assert.ok(links.length > 30);
  const broken = links.filter(({ page, name }) => {
    if (/^https?:/.test(name)) return false;
    const [path = '', anchor] = name.split('#');
    const file = path ? join(dirname(page), path) : page;
    return !existsSync(file) || (anchor !== undefined && !anchors(file).includes(anchor));
  });
  assert.is(list(broken), '');
});

test('every kind of a notification is named', () => {
  const page = text('docs/notifications.md');
  assert.equal(
    ruleKinds.filter((kind) => !page.includes(`\`${kind}\``)),
    [],
  );
});

test('every section that a comment names exists', () => {
  const files = readdirSync('.', { recursive: true })
    .map(String)
    .filter((file) => /^(src|test)\/.+\.(tsx?|mjs|css|sql)$/.test(file));
  const pointers = files.flatMap((file) => {
    const oneLine = text(file).replace(/\s*\n\s*(?:\*(?!\/)|\/\/|--)?\s*/g, ' ');
    return [...oneLine.matchAll(/\b(docs\/[\w/-]+\.md), "([^"]+)"/g)].map(([, page = '', title = '']) => ({
      page: file,
      name: `${page}, "${title}"`,
      isHere: existsSync(page) && anchors(page).includes(toAnchor(title)),
    }));
  });
  assert.ok(pointers.length > 100, String(pointers.length));
  assert.is(list(pointers.filter(({ isHere }) => !isHere)), '');
});

test('every picture is shown', () => {
  const shown = named(/\]\((?:docs\/|\.\.\/)?screenshots\/([\w-]+\.png)\)/g).map(({ name }) => name);
  assert.equal(
    readdirSync('docs/screenshots').filter((name) => !shown.includes(name)),
    [],
  );
});

test('every file and folder that is named exists', () => {
  const paths = named(/(?<![\w/.-])((?:src|test|static|docs|\.ci|\.github)\/[\w./-]*)/g);
  assert.ok(paths.length > 60);
  assert.is(list(paths.filter(({ name }) => !existsSync(name.replace(/[./]+$/, '')))), '');
});

test('every source file that is named without its folder exists', () => {
  const folders = ['src', 'test', 'static'].flatMap((folder) => readdirSync(folder, { recursive: true }).map(String));
  const known = new Set([...readdirSync('.'), ...folders.map((path) => basename(path))]);
  const files = named(/(?<![\w/.-])([\w-]+\.(?:tsx?|mjs|sql))\b/g);
  assert.ok(files.length > 5);
  assert.is(list(files.filter(({ name }) => !known.has(name))), '');
});

test('every npm script that is named exists', () => {
  const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> };
  const used = named(/\bnpm run ([\w:-]+)/g);
  assert.ok(used.length > 20);
  assert.is(list(used.filter(({ name }) => !(name in scripts))), '');
});

test('the README stays short: 200 lines of 120 columns', () => {
  const lines = text('README.md').trimEnd().split('\n');
  assert.ok(lines.length <= 200, String(lines.length));
  assert.is(lines.filter((line) => line.length > 120).join('\n'), '');
});

test.run();
