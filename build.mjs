// node build.mjs [--base /x/] [--api https://api.example] [--light] [--warn] [--if-stale] [--dev]
// Builds the app into dist/, with a .br and a .gz beside each file, and the server into build/server/. With --light the
// app is built with Preact in place of React. It also builds the other of the two to see its size, prints what a first
// visit transfers, and fails if that is over a budget (src/build/budgets.mjs).
// --warn builds what is asked for alone, and only warns. So does --if-stale, which builds only if a source is newer
// than the last build, with the options of that build. --dev builds into build/dev/ with source maps and no more.
import * as fs from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { buildApp, compress } from './src/build/app.mjs';
import { compare } from './src/build/budgets.mjs';

const SUPPORTED = 'Node.js 22 and 24 are supported';
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) fail(`${SUPPORTED}; this is ${process.version}, which is too old.`);
if (major < 22) console.warn(`${SUPPORTED}; this is ${process.version}, which gets no more fixes.`);

const filesIn = (folder) => fs.readdirSync(folder, { recursive: true }).map((name) => join(folder, name));
const changedAt = (file) => fs.statSync(file).mtimeMs;
const text = { type: 'string' };
const flag = { type: 'boolean' };
const options = { base: text, api: text, light: flag, warn: flag, 'if-stale': flag, dev: flag };
const { values } = parseArgs({ options });
const hasLastBuild = values['if-stale'] && fs.existsSync('build/server') && fs.existsSync('dist/index.html');
const { base = '/', api = '', light = false } = hasLastBuild ? lastOptions() : values;
const warnsOnly = values.warn || values['if-stale'];
if (!/^\/([\w.~-]+\/)*$/.test(base)) fail('--base must be a path with a slash at both ends, such as /backoffice/');
if (api && !/^https?:\/\/[^\s"<>;,]+$/.test(api)) fail('--api must be a URL such as https://api.example');
const sources = [...filesIn('src'), ...filesIn('static'), 'build.mjs', 'package-lock.json'];
if (hasLastBuild && sources.every((file) => changedAt(file) < changedAt('dist/index.html'))) process.exit();
const begunAt = new Date();

const out = fs.mkdtempSync('.build-'); // put in place at the end, so that a failed build leaves the last one alone
process.on('exit', () => fs.rmSync(out, { recursive: true, force: true }));
const dist = join(out, 'dist');
const kind = light ? 'light' : 'standard';
const other = light ? 'standard' : 'light';
try {
  await buildServer(join(out, 'server'));
  const visits = await buildApp(dist, { kind, base, api, sourcemap: values.dev && 'inline' });
  fs.utimesSync(join(dist, 'index.html'), begunAt, begunAt); // what was edited since then is not in it
  if (!values.dev) await checkSizes(visits);
} catch (error) {
  fail(error.message);
}
if (values.dev) putInPlace({ server: 'build/dev/build/server', dist: 'build/dev/dist' });
else putInPlace({ server: 'build/server', dist: 'dist', 'sizes.json': 'build/sizes.json' });

function buildServer(outdir) {
  return build({
    bundle: true,
    minify: !values.dev,
    sourcemap: values.dev && 'inline',
    format: 'esm',
    logLevel: 'error',
    legalComments: 'none',
    entryPoints: { main: 'src/server/main.ts' },
    outdir,
    outExtension: { '.js': '.mjs' },
    platform: 'node',
    target: 'node22',
    packages: 'external',
    loader: { '.sql': 'text' },
  });
}

/** Compresses the build and compares its sizes, and those of the other build, with the budgets and the last build. */
async function checkSizes(visits) {
  const last = fs.existsSync('build/sizes.json') ? JSON.parse(fs.readFileSync('build/sizes.json', 'utf8')) : {};
  const sizes = { [kind]: measure(dist, visits) };
  if (!warnsOnly) {
    const aside = join(out, other);
    sizes[other] = measure(aside, await buildApp(aside, { kind: other, base, api }));
  }
  fs.writeFileSync(join(out, 'sizes.json'), JSON.stringify({ ...last, ...sizes }));
  const results = Object.entries(sizes).map(([name, size]) => compare(name, size, last[name]));
  for (const line of results.flatMap(({ lines }) => lines)) console.log(line);
  const faults = results.flatMap((result) => result.faults).join('\n');
  if (faults && warnsOnly) console.warn(faults);
  else if (faults) throw new Error(faults);
}

function measure(folder, visits) {
  const sizes = compress(folder);
  const add = (files) => files.reduce((sum, file) => sum + sizes[file], 0);
  return { login: add(visits.login), users: add(visits.users), everything: add(Object.keys(sizes)) };
}

function putInPlace(places) {
  for (const [from, to] of Object.entries(places)) {
    fs.mkdirSync(join(to, '..'), { recursive: true });
    if (fs.existsSync(to)) fs.renameSync(to, join(out, `last-${from}`));
    fs.renameSync(join(out, from), to);
  }
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
