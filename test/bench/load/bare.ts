import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

/** Builds the bare page for production into `folder`: index.html and two hashed files, as any bundler lays them out. */
export async function buildBare(folder: string): Promise<void> {
  const { metafile } = await build({
    entryPoints: { main: 'test/bench/load/bare/main.tsx', style: '@picocss/pico/css/pico.min.css' },
    outdir: join(folder, 'assets'),
    entryNames: '[name]-[hash]',
    metafile: true,
    logLevel: 'error',
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const built = (ending: string) => {
    const file = Object.keys(metafile.outputs).find((name) => name.endsWith(ending));
    if (!file) throw new Error(`the bare page was built without a ${ending} file`);
    return `/assets/${basename(file)}`;
  };
  mkdirSync(folder, { recursive: true });
  const page = readFileSync('test/bench/load/bare/index.html', 'utf8');
  writeFileSync(join(folder, 'index.html'), page.replace('SCRIPT', built('.js')).replace('STYLE', built('.css')));
}
