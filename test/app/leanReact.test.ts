/** React DOM as it is bundled: without what the app does not use, and so that using it is noticed. test/browser/react.test.ts has how it runs. */
import { build, transform } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { leanReact, leanText, wordsOfApp } from '../../src/build/leanReact.mjs';
import { constants, eventsLeftOut, exportsLeftOut } from '../../src/build/leftOut.mjs';

const reactDom = 'node_modules/react-dom/cjs/react-dom-client.production.js';
const words = wordsOfApp(), lean = leanText(reactDom, words);
mkdirSync('.test', { recursive: true });
const folder = realpathSync(mkdtempSync('.test/lean-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));

/** What leanText makes of React DOM with a text in it changed. */
function leanOf(change: (text: string) => string): string {
  const file = join(folder, 'react-dom-client.production.js');
  writeFileSync(file, change(readFileSync(reactDom, 'utf8')));
  return leanText(file, words);
}

test('every name in what is bundled of React DOM is declared', () => {
  writeFileSync(join(folder, 'lean.ts'), `export {};\n${lean.replace(/^import \* as (\w+) from .*$/gm, 'declare const $1: object;')}`);
  let said = '';
  try {
    execFileSync('node_modules/.bin/tsc', ['--ignoreConfig', '--pretty', 'false', '--noEmit', '--strict', 'false', '--target', 'esnext', '--lib', 'esnext,dom', '--types', '', '--module', 'esnext', join(folder, 'lean.ts')], { encoding: 'utf8' });
  } catch (error) {
    said = String((error as { stdout?: unknown }).stdout);
  }
  assert.match(said, /error TS2339/, 'it was looked at'); // properties are found missing in files without types
  assert.equal(said.split('\n').filter((line) => /error TS(2304|2552|18004)\b/.test(line)), []);
});

test('nothing sets what counts as never set', async () => {
  const { code } = await transform(lean, { minifySyntax: true, minifyWhitespace: true, treeShaking: true, format: 'esm' });
  assert.match(code, /\bpendingEffectsStatus=1\b/, 'what is set stands there by its name');
  for (const [name, value] of Object.entries(constants)) {
    const set = [...code.matchAll(new RegExp(`(?<![\\w$.])${name.replace(/[.$]/g, '\\$&')}(?:[|&+-]|<<)?=(?!=)(?:[\\w$]+=)*([^,;)=]+)`, 'g'))].map(([, to]) => to);
    assert.equal(set.filter((to) => to !== value.replace('false', '!1')), [], name);
  }
});

test('a newer React DOM, or one that is not as expected, fails the build with what to do', () => {
  assert.throws(() => leanOf((text) => text.replaceAll('"19.3.1"', '"19.4.0"')), /made for React DOM 19\.3\.1: build with --whole-react, or go through that list/);
  assert.throws(() => leanOf((text) => text.replace('fiberTag = 9;', 'fiberTag = 99;')), /not as src\/build\/leftOut\.mjs expects: found 0 times, not 1: case REACT_CONSUMER_TYPE/);
  assert.throws(() => leanOf((text) => text.replace('function preloadInstanceAndSuspendIfNeeded', 'function otherwise')), /found 0 times, not 1: preloadInstanceAndSuspendIfNeeded/);
});

test('what is left out of React cannot be imported', async () => {
  const { default: react } = await import('react'), { default: dom } = await import('react-dom');
  for (const [from, all] of [['react', react], ['react-dom', dom]] as const) {
    const names = exportsLeftOut.filter((name) => name in all);
    assert.ok(names.length > 5);
    for (const name of names) {
      const bundling = build({ stdin: { contents: `import { ${name} } from '${from}'; console.log(${name});`, resolveDir: '.' }, bundle: true, write: false, logLevel: 'silent', plugins: [leanReact], define: { 'process.env.NODE_ENV': '"production"' } });
      await bundling.then(() => assert.unreachable(name), (error: Error) => assert.match(error.message, new RegExp(`No matching export .* for import "${name}"`)));
    }
  }
  // By a namespace it could be.
  const byNamespace = readdirSync('src/app', { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file) && /import (\* as )?\w+(, .*)? from 'react(-dom.*)?'/.test(readFileSync(join('src/app', file), 'utf8')));
  assert.equal(byNamespace, [], 'import what is used of React by its name');
});

test('an event that is left out fails the build where the app names it', () => {
  for (const name of eventsLeftOut) assert.throws(() => leanText(reactDom, new Set([...words, name])), new RegExp(`${name}: React DOM is bundled without this event`));
  assert.throws(() => leanText(reactDom, new Set([...words, 'onSelectCapture'])), /onSelect:/);
});

test('an event, a property or an element comes with the first place that names it', () => {
  const more = leanText(reactDom, new Set([...words, 'onWheel', 'onDragStartCapture', 'onGotPointerCapture', 'xlinkHref', 'video', 'strokeLinejoin', 'zIndex']));
  const live = (text: string) => text.replace(/if \(false\) \{[^]*?^ +\}$/gm, '');
  for (const part of [/"[\w ]*\bwheel\b[\w ]*"\.split/, /= SyntheticWheelEvent;/, /= SyntheticDragEvent;/, /case "gotpointercapture":\s+(case "\w+":\s+)*SyntheticEventCtor =/, /case "xlinkHref":/, /case "video":/, /\["strokeLinejoin", "stroke-linejoin"\]/, /"[\w ]*\bzIndex\b/]) {
    assert.not.match(live(lean), part);
    assert.match(live(more), part);
  }
});

test.run();
