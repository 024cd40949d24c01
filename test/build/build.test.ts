/** When a start builds the app again, and for where. In a copy: nobody's dist/ is touched. */
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

/** Runs the build in the copy; what it printed. */
function build(...options: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['build.mjs', ...options], {
    cwd: folder,
    encoding: 'utf8',
  });
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
  build('--base', '/backoffice/', '--api', 'https://api.example', '--if-stale');
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
  build();
  const before = files(),
    kept = react();
  assert.is(kept.length, 1);
  writeFileSync(inside('src/app/ui/appTitle.ts'), "export const APP_TITLE = 'Another title';\n");
  build();
  assert.equal(react(), kept);
  assert.not.equal(files(), before);
});

test('the light build has no React in it, and a start keeps it light', () => {
  build('--light');
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
    const before = builtAt(),
      { status, stderr } = spawnSync(process.execPath, ['build.mjs', ...options], { cwd: folder, encoding: 'utf8' });
    assert.is(status, 1);
    assert.match(stderr, `${options[0]} must be`);
    assert.is(builtAt(), before);
  }
});

test.run();
