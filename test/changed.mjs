import { execFileSync } from 'node:child_process';
import { build } from 'esbuild';

/** What puts everything together: nearly every test imports these, so they tell nothing about what a test is about. */
const ROOFS = ['test/world.ts', 'test/screen.tsx', 'src/server/app.ts', 'src/app/App.tsx'];
/** They read the text of all files, or what imports alone do not tell. */
const RULES = [
  ...['test/house.test.ts', 'test/imports.test.ts', 'test/docs.test.ts'],
  ...['test/contract/axeViews.test.ts', 'test/contract/product.test.ts'],
];
/** A new migration is imported by nothing while it is not on the list. */
const asCode = (file) => file.replace(/[^/]+\.sql$/, 'list.ts');

/**
 * The tests of what differs from a commit, or from where this branch left another one: those that changed, those at the
 * same path as a changed source, those that import it, and if none does, those that are nearest to it by imports.
 */
export async function findTouched(tests, since) {
  const git = (...words) => execFileSync('git', words, { encoding: 'utf8' }).split('\n').filter(Boolean);
  const differing = git('diff', '--name-only', '--merge-base', since);
  return testsOf(tests, [...differing, ...git('ls-files', '--others', '--exclude-standard')]);
}

/** The tests of some files. */
export async function testsOf(tests, changed) {
  const importers = await readImporters(tests);
  const touched = new Set(changed.length ? RULES : []);
  for (const file of changed.filter((file) => /^(src|test|static)\//.test(file))) {
    const found = tests.includes(file) ? [file] : [...mirrors(tests, file), ...nearest(importers, tests, asCode(file))];
    for (const test of found) touched.add(test);
    if (found.length === 0 && file.startsWith('src/')) console.log(`No test is near ${file}; npm test runs them all.`);
  }
  return tests.filter((test) => touched.has(test));
}

/** test/app/screens/Tenants.test.tsx and TenantsSort.test.tsx for src/app/screens/Tenants.tsx */
const mirrors = (tests, file) => {
  const start = file.replace(/^src\//, 'test/').replace(/\.\w+$/, '');
  return tests.filter((test) => new RegExp(`^${start}([A-Z.]\\w*)*\\.test\\.`).test(test));
};

/** The tests that import a file by the fewest steps. */
function nearest(importers, tests, file) {
  for (let layer = [file], seen = new Set(layer); layer.length; ) {
    layer = layer
      .flatMap((path) => importers.get(path) ?? [])
      .filter((path) => !seen.has(path) && !ROOFS.includes(path));
    for (const path of layer) seen.add(path);
    const found = layer.filter((path) => tests.includes(path));
    if (found.length) return found;
  }
  return [];
}

/** Which files import each file. */
async function readImporters(tests) {
  const { metafile } = await build({
    stdin: { contents: tests.map((test) => `import './${test}';`).join('\n'), resolveDir: '.' },
    outfile: 'unused.js',
    write: false,
    metafile: true,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    jsx: 'automatic',
    logLevel: 'error',
    loader: { '.sql': 'text' },
  });
  const importers = new Map();
  for (const [file, { imports }] of Object.entries(metafile.inputs))
    for (const { path } of imports) importers.set(path, [...(importers.get(path) ?? []), file]);
  return importers;
}
