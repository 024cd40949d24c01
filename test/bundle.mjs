import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

/**
 * Bundles files of test/ into a temporary folder, each under its path in test/, and returns the folder.
 * It is removed when the process ends.
 */
export async function bundle(name, entryPoints, plugins = []) {
  mkdirSync('.test', { recursive: true });
  const outdir = realpathSync(mkdtempSync(`.test/${name}-`)); // two runs at once must not meet
  process.on('exit', () => rmSync(outdir, { recursive: true, force: true }));
  await build({
    entryPoints,
    outdir,
    outbase: 'test',
    bundle: true,
    splitting: true,
    packages: 'external',
    plugins,
    platform: 'node',
    format: 'esm',
    jsx: 'automatic',
    sourcemap: 'inline',
    logLevel: 'error',
    loader: { '.sql': 'text' },
  });
  return outdir;
}
