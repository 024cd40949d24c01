import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { compile } from 'sass';
import { chunks, outputFiles } from './chunks.mjs';
import { styleText } from './styleText.mjs';

const common = { bundle: true, minify: true, format: 'esm', logLevel: 'error', legalComments: 'none' };
// As documented: https://preactjs.com/guide/v10/getting-started#aliasing-react-to-preact
const preact = {
  react: 'preact/compat',
  'react/jsx-runtime': 'preact/jsx-runtime',
  'react-dom': 'preact/compat',
  'react-dom/client': 'preact/compat/client',
  'react-dom/server': 'preact/compat/server',
};

/**
 * Builds the app into a folder: with React, or with Preact if `kind` is 'light'. `base` is the path below which it is
 * served, `api` the origin of its API, empty for its own. Returns what a visit loads: file names by visit.
 */
export async function buildApp(out, { kind, base, api, sourcemap = false }) {
  const alias = kind === 'light' ? preact : {};
  const jsx = { ...common, jsx: 'automatic', alias, define: { 'process.env.NODE_ENV': '"production"' } };
  // wouter's polyfill of a hook that React has since version 18.
  const shim = { 'use-sync-external-store/shim/index.js': alias.react ?? 'react' };
  const browser = { ...jsx, target: 'es2022', alias: { ...alias, ...shim } };
  const { metafile } = await build({
    ...browser,
    entryPoints: { main: 'src/app/main.tsx', react: 'layer:react' },
    outdir: join(out, 'assets'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    splitting: true,
    sourcemap,
    metafile: true,
    plugins: [await chunks('src/app/main.tsx'), styleText],
  });
  const assets = (entry) => outputFiles(metafile, entry).map((path) => `assets/${basename(path)}`);
  const main = assets('src/app/main.tsx');
  const users = assets('layer:app').filter((file) => !main.includes(file));
  const screens = assets('layer:screens').filter((file) => ![...main, ...users].includes(file));

  const early = await bundled({ ...browser, entryPoints: ['src/app/start/early.ts'], format: 'iife' });
  const style = await buildStyle();
  const hashes = { earlyHash: sha256(early), styleHash: sha256(style), apiOrigin: api && new URL(api).origin };
  const preloads = main.slice(1).map((file) => `<link rel="modulepreload" href="${file}">`);
  const files = { main: main[0], preloads: preloads.join(''), app: users.join(' '), screens: screens.join(' ') };
  const icon = `data:image/svg+xml,${encodeURIComponent(fs.readFileSync('static/icon.svg', 'utf8'))}`;
  const parts = { base, api, kind, early, style, login: await prerender(out, jsx), icon, ...hashes, ...files };
  const page = fs.readFileSync('static/index.html', 'utf8').replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
  fs.writeFileSync(join(out, 'index.html'), page);
  const visit = ['index.html', ...main];
  return { login: visit, users: [...visit, ...users] };
}

/** Puts a .br and a .gz beside each file of a folder. Returns the size of each .br by the name of its file. */
export function compress(folder) {
  const sizes = {};
  const paths = fs.readdirSync(folder, { recursive: true }).map((name) => join(folder, name));
  for (const path of paths.filter((path) => fs.statSync(path).isFile())) {
    const contents = fs.readFileSync(path);
    const brotli = brotliCompressSync(contents);
    fs.writeFileSync(`${path}.br`, brotli);
    fs.writeFileSync(`${path}.gz`, gzipSync(contents, { level: 9 }));
    sizes[relative(folder, path)] = brotli.length;
  }
  return sizes;
}

const bundled = async (settings) => (await build({ ...settings, write: false })).outputFiles[0].text.trim();
const sha256 = (contents) => `sha256-${createHash('sha256').update(contents).digest('base64')}`;

function buildStyle() {
  const pico = compile('static/pico.scss', { loadPaths: ['node_modules'], quietDeps: true }).css;
  const sheet = { contents: pico + fs.readFileSync('static/base.css', 'utf8'), loader: 'css', resolveDir: 'static' };
  return bundled({ ...common, legalComments: 'inline', loader: { '.svg': 'dataurl' }, stdin: sheet });
}

/** The HTML of the login, as the page has it before React arrives. */
async function prerender(out, jsx) {
  const file = join(out, 'prerender.mjs');
  const options = { entryPoints: ['src/app/start/prerender.tsx'], platform: 'node', packages: 'external' };
  fs.writeFileSync(file, await bundled({ ...jsx, ...options }));
  const { loginMarkup } = await import(resolve(file));
  fs.rmSync(file);
  return loginMarkup();
}
