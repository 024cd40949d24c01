/** What a build makes, refuses and warns of, and when a start builds again. In a copy: this dist/ is not touched. */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'build-')));
const inside = (path: string) => join(folder, path);
const index = () => readFileSync(inside('dist/index.html'), 'utf8');
const builtAt = () => statSync(inside('dist/index.html')).mtimeMs;

/** Runs the build in the copy. */
const run = (...options: string[]) =>
  spawnSync(process.execPath, ['build.mjs', ...options], { cwd: folder, encoding: 'utf8' });
/** The same for one that must succeed; what it printed. */
function build(...options: string[]): string {
  const { status, stdout, stderr } = run(...options);
  assert.is(status, 0, stderr);
  return stdout;
}
/** As if a file had been changed after the last build. */
const change = (path: string) => {
  const at = new Date(Math.ceil(builtAt()) + 1000);
  utimesSync(inside(path), at, at);
};

test.before(() => {
  for (const name of ['build.mjs', 'package-lock.json', 'src', 'static'])
    cpSync(name, inside(name), { recursive: true });
  symlinkSync(resolve('node_modules'), inside('node_modules'));
});
test.after(() => rmSync(folder, { recursive: true, force: true }));

test('a start builds what is missing or older than a source, for the same place, and keeps what is fresh', () => {
  build('--base', '/backoffice/', '--api', 'https://api.example', '--warn');
  assert.match(index(), '<base href="/backoffice/">');

  const before = builtAt();
  assert.is(build('--if-stale'), '', 'nothing to say');
  assert.is(builtAt(), before);

  // Somebody who serves the folder may edit the page.
  writeFileSync(inside('dist/index.html'), index().replace('https://api.example', 'https://api.other.example'));
  change('static/app.css');
  assert.match(build('--if-stale'), 'login (budget');
  assert.match(index(), '<base href="/backoffice/">');
  assert.match(index(), '<meta name="api-base" content="https://api.other.example">');
});

test('a release that does not change React leaves its file as it was', () => {
  const files = () => readdirSync(inside('dist/assets')).filter((name) => name.endsWith('.js'));
  const react = () =>
    files().filter((name) =>
      readFileSync(inside(`dist/assets/${name}`), 'utf8').includes('react.transitional.element'),
    );
  const before = files(),
    kept = react();
  assert.is(kept.length, 1);
  writeFileSync(inside('src/app/ui/appTitle.ts'), "export const APP_TITLE = 'Another title';\n");
  build('--warn');
  assert.equal(react(), kept);
  assert.not.equal(files(), before);
});

test('the light build has no React in it, and a start keeps it light', () => {
  build('--light', '--warn');
  const hasReact = () =>
    readdirSync(inside('dist/assets')).some((name) =>
      readFileSync(inside(`dist/assets/${name}`), 'utf8').includes('react.transitional.element'),
    );
  assert.not.ok(hasReact());
  change('static/app.css');
  build('--if-stale');
  assert.not.ok(hasReact());
});

test('what cannot be a place is refused, and the app that stands stays', () => {
  for (const options of [
    ['--base', 'backoffice'],
    ['--base', '/a b/'],
    ['--api', 'api.example'],
    ['--api', 'https://x" onload="y'],
  ]) {
    const before = builtAt();
    const { status, stderr } = run(...options);
    assert.is(status, 1);
    assert.match(stderr, `${options[0]} must be`);
    assert.is(builtAt(), before);
  }
});

test('a build tells by how much each size changed, and fails over a budget; one to look at only warns', () => {
  const last = { standard: { login: 1, users: 2, everything: 3 }, light: { login: 4, users: 5, everything: 999_999 } };
  writeFileSync(inside('build/sizes.json'), JSON.stringify(last));
  const budgets = readFileSync(inside('src/build/budgets.mjs'), 'utf8');
  const tight = budgets
    .replace(/login: 82_000/, 'login: 1_000')
    .replace(/everything: [\d_]+ \},?\n\}/, 'everything: 1_000 }}');
  writeFileSync(inside('src/build/budgets.mjs'), tight);
  const before = builtAt();
  const { status, stdout, stderr } = run();
  assert.is(status, 1);
  for (const kind of ['standard', 'light'] as const)
    for (const visit of ['login', 'users', 'everything'] as const) {
      const [, size, change] =
        new RegExp(`(\\d+) ${kind} ${visit} \\(budget \\d+, ([+-]\\d+) B since`).exec(stdout) ?? [];
      assert.is(Number(size) - last[kind][visit], Number(change), `${kind} ${visit}`);
    }
  const login = /^The standard build is over its budget: login is \d+ of 1000 bytes\. Load less at first/m;
  assert.match(stderr, login);
  assert.match(
    stderr,
    /^The light build is over its budget: everything is \d+ of 1050 bytes\. .* records the new size/m,
  );
  assert.is(stderr.trim().split('\n').length, 2);
  assert.is(builtAt(), before, 'the last build stays');

  const looked = run('--warn');
  assert.is(looked.status, 0);
  assert.match(looked.stderr, login);
  assert.not.equal(builtAt(), before);
  writeFileSync(inside('src/build/budgets.mjs'), budgets);
});

test('two files that are loaded later must not export the same name', () => {
  for (const file of ['src/app/ui/Drawer.tsx', 'src/app/parts/Export.tsx']) {
    const source = readFileSync(inside(file), 'utf8');
    writeFileSync(inside(file), `${source}export const twice = 1;\n`);
  }
  const { status, stderr } = run('--warn');
  assert.is(status, 1);
  assert.match(stderr, 'must not export the same name. twice is in ./src/app/parts/Export.tsx and ./src/app/ui/Drawer');
});

test.run();
