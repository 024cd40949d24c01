// node build.mjs [--base /x/] [--api https://api.example] [--light] [--if-stale]
// Builds the app into dist/, with a .br and a .gz beside each file, and the server into build/server/. Prints what a
// first visit transfers and fails over the budget. With --light the app is built with Preact in place of React. With
// --if-stale it builds only if a source is newer than the last build, with the options of that build.
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { compile } from 'sass';
import { chunks, outputFiles } from './src/build/chunks.mjs';
import { styleText } from './src/build/styleText.mjs';

const bundled = async (settings) => (await build({ ...settings, write: false })).outputFiles[0].text.trim();
const sha256 = (contents) => `sha256-${createHash('sha256').update(contents).digest('base64')}`;
const filesIn = (folder) => fs.readdirSync(folder, { recursive: true }).map((name) => join(folder, name));
const changedAt = (file) => fs.statSync(file).mtimeMs;

const text = { type: 'string' };
const flag = { type: 'boolean' };
const { values } = parseArgs({ options: { base: text, api: text, light: flag, 'if-stale': flag } });
const hasLastBuild = values['if-stale'] && fs.existsSync('build/server') && fs.existsSync('dist/index.html');
const { base = '/', api = '', light = false } = hasLastBuild ? lastOptions() : values;
if (!/^\/([\w.~-]+\/)*$/.test(base)) fail('--base must be a path with a slash at both ends, such as /backoffice/');
if (api && !/^https?:\/\/[^\s"<>;,]+$/.test(api)) fail('--api must be a URL such as https://api.example');
const sources = [...filesIn('src'), ...filesIn('static'), 'build.mjs', 'package-lock.json'];
if (hasLastBuild && sources.every((file) => changedAt(file) < changedAt('dist/index.html'))) process.exit();
const begunAt = new Date();

/** Brotli bytes: of a first visit to the login and to fifty users, and of everything. */
const budgets = light
  ? { login: 28_300, users: 44_000, everything: 117_500 }
  : { login: 82_000, users: 97_000, everything: 175_500 };
const out = fs.mkdtempSync('.build-'); // put in place at the end, so that a failed build leaves the last one alone
const dist = join(out, 'dist');
process.on('exit', () => fs.rmSync(out, { recursive: true, force: true }));

const common = { bundle: true, minify: true, format: 'esm', logLevel: 'error', legalComments: 'none' };
// As documented: https://preactjs.com/guide/v10/getting-started#aliasing-react-to-preact
const preact = {
  react: 'preact/compat',
  'react/jsx-runtime': 'preact/jsx-runtime',
  'react-dom': 'preact/compat',
  'react-dom/client': 'preact/compat/client',
  'react-dom/server': 'preact/compat/server',
};
const alias = light ? preact : {};
const jsx = { ...common, jsx: 'automatic', alias, define: { 'process.env.NODE_ENV': '"production"' } };
// wouter's polyfill of a hook that React has since version 18.
const shim = { 'use-sync-external-store/shim/index.js': alias.react ?? 'react' };
const browser = { ...jsx, target: 'es2022', alias: { ...alias, ...shim } };

const app = await build({
  ...browser,
  entryPoints: { main: 'src/app/main.tsx', react: 'layer:react' },
  outdir: join(dist, 'assets'),
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  splitting: true,
  metafile: true,
  plugins: [await chunks('src/app/main.tsx'), styleText],
});
await build({
  ...common,
  entryPoints: { main: 'src/server/main.ts' },
  outdir: join(out, 'server'),
  outExtension: { '.js': '.mjs' },
  platform: 'node',
  target: 'node20',
  packages: 'external',
  loader: { '.sql': 'text' },
});

const pico = compile('static/pico.scss', { loadPaths: ['node_modules'], quietDeps: true }).css;
const sheet = { contents: pico + fs.readFileSync('static/base.css', 'utf8'), loader: 'css', resolveDir: 'static' };
const style = await bundled({ ...common, legalComments: 'inline', loader: { '.svg': 'dataurl' }, stdin: sheet });
const early = await bundled({ ...browser, entryPoints: ['src/app/start/early.ts'], format: 'iife' });
const prerender = { ...jsx, entryPoints: ['src/app/start/prerender.tsx'], platform: 'node', packages: 'external' };
fs.writeFileSync(join(out, 'prerender.mjs'), await bundled(prerender));
const { loginMarkup } = await import(resolve(out, 'prerender.mjs'));

const assets = (entry) => outputFiles(app.metafile, entry).map((path) => `assets/${basename(path)}`);
const main = assets('src/app/main.tsx');
const users = assets('layer:app').filter((file) => !main.includes(file));
const screens = assets('layer:screens').filter((file) => ![...main, ...users].includes(file));
const preloads = main.slice(1).map((file) => `<link rel="modulepreload" href="${file}">`);
const hashes = { earlyHash: sha256(early), styleHash: sha256(style), apiOrigin: api && new URL(api).origin };
const icon = `data:image/svg+xml,${encodeURIComponent(fs.readFileSync('static/icon.svg', 'utf8'))}`;
const files = { icon, main: main[0], preloads: preloads.join(''), app: users.join(' '), screens: screens.join(' ') };
const texts = { base, api, early, style, login: loginMarkup(), kind: light ? 'light' : 'standard' };
const parts = { ...texts, ...hashes, ...files };
const page = fs.readFileSync('static/index.html', 'utf8').replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
fs.writeFileSync(join(dist, 'index.html'), page);
fs.utimesSync(join(dist, 'index.html'), begunAt, begunAt); // what was edited since then is not in it

const sizes = {};
for (const file of filesIn(dist).filter((file) => fs.statSync(file).isFile())) {
  const contents = fs.readFileSync(file);
  fs.writeFileSync(`${file}.br`, brotliCompressSync(contents));
  fs.writeFileSync(`${file}.gz`, gzipSync(contents, { level: 9 }));
  sizes[relative(dist, file)] = fs.statSync(`${file}.br`).size;
}
for (const [file, size] of Object.entries(sizes)) console.log(String(size).padStart(8), file);
const visit = ['index.html', ...main];
const visits = { login: visit, users: [...visit, ...users], everything: Object.keys(sizes) };
for (const [name, visited] of Object.entries(visits)) {
  const bytes = visited.reduce((sum, file) => sum + sizes[file], 0);
  console.log(String(bytes).padStart(8), `${name} (budget ${budgets[name]})`);
  if (bytes > budgets[name])
    fail('The build exceeds its budget. Load less at first (lazyWithRetry), or raise the budget in build.mjs.');
}
fs.mkdirSync('build', { recursive: true });
for (const [from, to] of Object.entries({ server: 'build/server', dist: 'dist' })) {
  if (fs.existsSync(to)) fs.renameSync(to, join(out, `last-${from}`));
  fs.renameSync(join(out, from), to);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

/** The options of the last build, from its page, where an operator may have edited them. */
function lastOptions() {
  const html = fs.readFileSync('dist/index.html', 'utf8');
  const [, base, api] = /<base href="([^"]*)">\s*<meta name="api-base" content="([^"]*)">/.exec(html) ?? [];
  return { base, api, light: html.includes('<meta name="build" content="light">') };
}
