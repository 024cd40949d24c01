// node build.mjs [--base /x/] [--api https://api.example] [--if-stale]
// The app into dist/ (index.html with the login form standing in it, hashed assets, .br and .gz beside each), the server into build/server/.
// Prints what a first visit transfers and fails over the budget.
import { build, transform } from 'esbuild';
import { Window } from 'happy-dom';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { inlineOnce } from './src/build/inlineOnce.mjs';
import { mendDriver } from './src/build/mendDriver.mjs';
import { oneByOne } from './src/build/oneByOne.mjs';
import { pruneCss } from './src/build/pruneCss.mjs';
import { shortNames } from './src/build/shortNames.mjs';

/** Brotli bytes of a first visit, in all its requests. */
const budgets = { login: 82_000, users: 94_000 };

const { values: options } = parseArgs({ options: { base: { type: 'string', default: '/' }, api: { type: 'string', default: '' }, 'if-stale': { type: 'boolean', default: false } } });
// Nobody asked for this build by its options: dist/, which may be served as it lies, stays where it was meant for.
if (options['if-stale'] && builtAt()) Object.assign(options, builtFor());
if (!/^\/([\w.~-]+\/)*$/.test(options.base)) fail('--base must be a path that begins and ends with a slash, such as /backoffice/');
if (options.api !== '' && !/^https?:\/\/[^\s"<>]+$/.test(options.api)) fail('--api must be an address such as https://api.example');
if (options['if-stale'] && builtAt() > Math.max(...['src', 'static', 'build.mjs', 'package-lock.json'].map(changedAt))) process.exit();

// Built aside and put in place at the end: a build that fails leaves the old one.
const out = mkdtempSync('.build-');
process.on('exit', () => rmSync(out, { recursive: true, force: true }));
mkdirSync(join(out, 'dist/assets'), { recursive: true });

const common = { bundle: true, minify: true, format: 'esm', jsx: 'automatic', logLevel: 'error', legalComments: 'none' };
// The router's shim for React versions before 18 is React's own hook here.
const forBrowser = { ...common, target: ['es2022'], define: { 'process.env.NODE_ENV': '"production"' }, alias: { 'use-sync-external-store/shim/index.js': 'react' } };
/**
 * What is imported later comes in two files: the app with what it opens with, and everything further. With more, smaller files a slow line
 * waits for requests instead of bytes. Each file brings those before it along, so that what they share lies in one of these.
 */
const groups = {
  name: 'groups',
  setup({ onResolve, onLoad }) {
    const isApp = (path) => /\/App$/.test(path);
    onResolve({ filter: /^\./ }, ({ kind, path }) => (kind === 'dynamic-import' ? { path: isApp(path) ? 'app' : 'further', namespace: 'group' } : undefined));
    onLoad({ filter: /./, namespace: 'group' }, ({ path: group }) => {
      const members = sources().flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\bimport\('(\.[^']+)'\)/g)].map(([, path]) => `./${join(dirname(file), path)}`));
      const before = ['./src/app/Root', ...(group === 'further' ? ['./src/app/App'] : [])];
      return {
        contents: [...before.map((file) => `import '${file}';`), ...new Set(members.filter((file) => isApp(file) === (group === 'app')).map((file) => `export * from '${file}';`))].join('\n'),
        resolveDir: process.cwd(),
      };
    });
  },
};
/** Of the table of calls, the script that asks first takes only those it names: a line each. */
const namedCalls = {
  name: 'named-calls',
  setup({ onLoad }) {
    onLoad({ filter: /contract\/openingCalls\.ts$/ }, ({ path }) => {
      const named = new Set([...readFileSync('src/app/start/prefetch.ts', 'utf8').matchAll(/\bopeningCalls\.(\w+)/g)].map(([, name]) => name));
      const lines = readFileSync(path, 'utf8').split('\n').filter((line) => {
        const [, entry] = /^  (\w+): /.exec(line) ?? [];
        return !entry || named.has(entry);
      });
      return { contents: lines.join('\n'), loader: 'ts' };
    });
  },
};

const icon = asset('icon', 'svg', readFileSync('static/icon.svg'));
const [app, early, styles, login] = await Promise.all([
  build({ ...forBrowser, entryPoints: ['src/app/main.tsx'], outdir: join(out, 'dist/assets'), entryNames: '[name]-[hash]', chunkNames: '[name]-[hash]', splitting: true, metafile: true, plugins: [groups, oneByOne] }),
  script('early'),
  style().then((css) => asset('app', 'css', css.replaceAll('../icon.svg', icon))),
  loginMarkup(),
  build({ ...common, entryPoints: ['src/server/main.ts', 'src/server/verify.ts'], outdir: join(out, 'server'), outExtension: { '.js': '.mjs' }, platform: 'node', target: 'node20', packages: 'external', plugins: [mendDriver], loader: { '.sql': 'text' } }),
]);

const outputs = Object.fromEntries(Object.entries(app.metafile.outputs).map(([path, output]) => [basename(path), output]));
const main = nameOf('src/app/main.tsx'), screens = nameOf('group:app'), late = nameOf('group:further');
// All of what opens with the page is called there: V8 need not parse it twice, and does it beside the page's own work.
for (const name of new Set([main, screens].flatMap((file) => [file, ...withImports(file)]))) {
  const file = join(out, 'dist/assets', name);
  writeFileSync(file, `//# allFunctionsCalledOnLoad\n${readFileSync(file, 'utf8')}`);
}
writeFileSync(join(out, 'dist/index.html'), page());
for (const file of files()) {
  const bytes = readFileSync(file);
  writeFileSync(`${file}.br`, smallest(bytes));
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
}
const isWithin = report();
put('dist', 'dist');
mkdirSync('build', { recursive: true });
put('server', 'build/server');
if (!isWithin) process.exit(1);

function page() {
  const links = [
    `<script src="assets/${early}" data-screens="assets/${screens} assets/${late}"></script>`,
    ...withImports(main).map((name) => `<link rel="modulepreload" href="assets/${name}">`),
    `<script type="module" src="assets/${main}"></script>`,
    `<link rel="stylesheet" href="assets/${styles}">`,
  ].join('\n');
  return readFileSync('static/index.html', 'utf8')
    .replace('<base href="/">', `<base href="${options.base}">`)
    .replace('<meta name="api-base" content="">', `<meta name="api-base" content="${options.api}">`)
    .replace('icon.svg', `assets/${icon}`)
    .replace('<!-- head -->', () => links)
    .replace('<!-- login -->', () => login);
}

/** By the best of several sizes of block: which one that is hangs on every byte, and changes by a hundred bytes with the name of a file. */
function smallest(bytes) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const tries = [0, 16, 17, 18].map((block) => brotliCompressSync(bytes, { params: { ...params, [constants.BROTLI_PARAM_LGBLOCK]: block } }));
  return tries.reduce((best, one) => (one.length < best.length ? one : best));
}

/** Pico cut down to what the app can show, then our own sheet. */
async function style() {
  const minified = async (file) => (await transform(readFileSync(file, 'utf8'), { loader: 'css', minify: true, legalComments: 'none' })).code;
  const [pico, own] = await Promise.all([minified('node_modules/@picocss/pico/css/pico.css'), minified('static/app.css')]);
  const texts = sources().map((file) => readFileSync(file, 'utf8')).join('\n');
  // What our own sheet does itself, what we never show, and what only browsers long gone read.
  const unwanted = (selector) => [
    /aria-busy|aria-current|aria-invalid=false|checked.*aria-invalid|data-tooltip|role=(group|search)|type=(search|date)|rel=prev|:user-|:indeterminate/,
    /^(nav|aside|code|details|progress|tfoot|\.grid)|:where\(nav|a\)\.secondary|\.(outline|contrast|close)|fieldset\[disabled\]/,
    /:host|\[dir=rtl\]|::?-(ms|moz)-|@-moz-document|::-webkit-(file|inner|outer|input)/,
    /::selection|\.secondary|:focus|:active|~label|\+small|\)~:is\(h|textarea\[aria|\[aria-(controls|hidden)|^((a|b|h\d|main|section|::?(before|after))$|:where\(a[:)]|svg|ul|kbd|thead|body>|dialog>|@keyframes)|:where\((ul|dl)/,
  ].some((pattern) => pattern.test(selector));
  // Nothing moves by itself; names with a browser's own beginning have been without it for long; and the rest is what stands there anyway.
  const without = /^(transition|animation|-(webkit|moz|ms|o)-(?!text-size|tap)|tab-size|letter-spacing|accent-color|user-select|overflow$|text-(transform|indent|rendering|decoration-color|underline-offset)|border-(spacing|(top|bottom)-(left|right)-radius)|padding-(left|right)|font-style)/;
  const pruned = pruneCss(pico.replace(/^@charset[^;]*;/, ''), { sources: texts + readFileSync('static/index.html', 'utf8'), unwanted, without, also: own });
  const whole = (await transform(pruned + own, { loader: 'css', minify: true })).code;
  return `/*! Pico CSS v2, MIT, picocss.com, cut down */${(await transform(shortNames(inlineOnce(whole, texts), texts), { loader: 'css', minify: true })).code}`;
}

function sources() {
  return readdirSync('src/app', { recursive: true }).filter((file) => /\.tsx?$/.test(file)).map((file) => join('src/app', file));
}

/** The login form as React would draw it, for index.html. */
async function loginMarkup() {
  const file = join(out, 'prerender.mjs');
  await build({ ...common, entryPoints: ['src/app/start/prerender.tsx'], outfile: file, platform: 'node', packages: 'external', define: { 'process.env.NODE_ENV': '"production"' } });
  const window = new Window({ url: 'http://host/' });
  const names = ['document', 'location', 'history', 'localStorage', 'navigator', 'addEventListener', 'removeEventListener', 'dispatchEvent'];
  for (const name of names) Object.defineProperty(globalThis, name, { value: typeof window[name] === 'function' ? window[name].bind(window) : window[name], configurable: true });
  globalThis.window = window;
  const { loginMarkup: markup } = await import(join(process.cwd(), file));
  const html = markup();
  await window.happyDOM.close();
  return html;
}

/** A script that stands alone and shares nothing. */
async function script(name) {
  const { outputFiles: [file] } = await build({ ...forBrowser, entryPoints: [`src/app/start/${name}.ts`], format: 'iife', write: false, plugins: [namedCalls] });
  return asset(name, 'js', file.contents);
}

/** Writes a file under a name that changes with its contents. */
function asset(name, ending, contents) {
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 8).toUpperCase();
  writeFileSync(join(out, `dist/assets/${name}-${hash}.${ending}`), contents);
  return `${name}-${hash}.${ending}`;
}

function nameOf(source) {
  const name = Object.keys(outputs).find((name) => outputs[name].entryPoint === source);
  return name ?? fail(`${source} is not a part of its own`);
}

/** What arrives with a file because it imports it, itself left out. */
function withImports(name, seen = new Set([name])) {
  for (const { path, kind } of outputs[name].imports) {
    if (kind !== 'import-statement' || seen.has(basename(path))) continue;
    seen.add(basename(path));
    withImports(basename(path), seen);
  }
  return [...seen].slice(1);
}

function files() {
  return readdirSync(join(out, 'dist'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name)).map((entry) => join(entry.parentPath, entry.name));
}

function report() {
  const size = (name) => readFileSync(join(out, 'dist', name === 'index.html' ? name : `assets/${name}`) + '.br').length;
  const toLogin = ['index.html', early, styles, main, ...withImports(main)];
  const toUsers = [...new Set([...toLogin, screens, ...withImports(screens)])];
  const all = ['index.html', ...readdirSync(join(out, 'dist/assets')).filter((name) => !/\.(br|gz)$/.test(name))];
  for (const name of all.toSorted((a, b) => size(b) - size(a))) process.stdout.write(`${String(size(name)).padStart(8)}  ${name}\n`);
  const results = [['login', toLogin], ['users', toUsers]].map(([visit, names]) => {
    const bytes = names.reduce((sum, name) => sum + size(name), 0);
    process.stdout.write(`${String(bytes).padStart(8)}  first visit to ${visit}: ${names.length} files, budget ${budgets[visit]}\n`);
    return bytes <= budgets[visit];
  });
  process.stdout.write(`${String(all.reduce((sum, name) => sum + size(name), 0)).padStart(8)}  everything\n`);
  if (results.includes(false)) process.stderr.write('The app is over its budget.\n');
  return !results.includes(false);
}

function put(from, to) {
  if (existsSync(to)) renameSync(to, join(out, `old-${from}`));
  renameSync(join(out, from), to);
}

function fail(words) {
  process.stderr.write(`${words}\n`);
  process.exit(1);
}

/** When the last build was finished; 0 when there is none. */
function builtAt() {
  const [app, server] = ['dist/index.html', 'build/server/verify.mjs'].map((file) => (existsSync(file) ? statSync(file).mtimeMs : 0));
  return Math.min(app, server);
}

/** Where the app in dist/ is mounted and what it calls: the options of its build, or what was edited by hand. */
function builtFor() {
  const page = readFileSync('dist/index.html', 'utf8');
  return { base: /<base href="([^"]*)"/.exec(page)?.[1] ?? '/', api: /<meta name="api-base" content="([^"]*)"/.exec(page)?.[1] ?? '' };
}

/** When a file, or the newest in a folder, was last changed. */
function changedAt(path) {
  const below = statSync(path).isDirectory() ? readdirSync(path).map((name) => changedAt(join(path, name))) : [];
  return Math.max(statSync(path).mtimeMs, ...below);
}
