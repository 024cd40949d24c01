import { build } from 'esbuild';

/**
 * An esbuild plugin that puts all that is loaded with `import()` into a few files: `app`, the shell with the screen
 * that most people open first, `help`, what stands below the sign-in, and `screens`, everything else. With
 * a file for each `import()` the app would need about 30 requests, many round trips on a slow connection. What these
 * files export is put together by name, so the build fails if two of them export the same one.
 *
 * Shell and screens bring their style sheets. The files form layers: each imports the layers below it, so esbuild makes
 * one shared file for each layer. React is the lowest layer. Its file changes only with React, so browsers keep it when
 * a new release of the app comes.
 */
export async function chunks(entry) {
  const react = ['react', 'react/jsx-runtime', 'react-dom', 'react-dom/client'];
  const root = './src/app/Root';
  const app = './src/app/App.tsx';
  const help = './src/app/parts/LoginHelp.tsx';
  const screens = (await lazyFiles(entry)).filter(({ file }) => file !== app && file !== help);
  refuseSameNames(screens);
  const layers = {
    react: react.map(importing),
    app: [...[...react, root].map(importing), `export * from '${app}';`, adding('./static/app.css')],
    help: [...[...react, root].map(importing), `export * from '${help}';`],
    screens: [
      ...[...react, root, 'layer:app'].map(importing), // the style sheets in this order
      ...screens.map(({ file }) => `export * from '${file}';`),
      adding('./static/screens.css'),
    ],
  };
  return {
    name: 'chunks',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^layer:/ }, ({ path }) => ({ path: path.slice('layer:'.length), namespace: 'layer' }));
      onResolve({ filter: /^\./ }, ({ kind, path }) => {
        if (kind !== 'dynamic-import') return undefined;
        const layer = path.endsWith('/App') ? 'app' : path.endsWith('/LoginHelp') ? 'help' : 'screens';
        return { path: layer, namespace: 'layer' };
      });
      onLoad({ filter: /./, namespace: 'layer' }, ({ path }) => ({
        contents: layers[path].join('\n'),
        resolveDir: process.cwd(),
      }));
    },
  };
}

/** The output file of an entry point, and every file that it imports. */
export function outputFiles({ outputs }, entryPoint) {
  const files = Object.keys(outputs).filter((file) => outputs[file].entryPoint === entryPoint);
  for (const file of files) {
    const imports = outputs[file].imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path);
    files.push(...imports.filter((path) => !files.includes(path)));
  }
  return files;
}

const importing = (file) => `import '${file}';`;
/** Adds a style sheet to the page. Its policy allows no style element or link but the one that is inlined. */
const adding = (file) =>
  `import css from '${file}'; const sheet = new CSSStyleSheet(); sheet.replaceSync(css); ` +
  'document.adoptedStyleSheets.push(sheet);';

/** The files that the app loads with `import()`, and what each exports. */
async function lazyFiles(entry) {
  const { metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    splitting: true,
    format: 'esm',
    jsx: 'automatic',
    packages: 'external',
    outdir: 'unused',
    write: false,
    metafile: true,
  });
  return Object.values(metafile.outputs)
    .filter(({ entryPoint }) => entryPoint && entryPoint !== entry)
    .map(({ entryPoint, exports }) => ({ file: `./${entryPoint}`, exports }))
    .sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** `export *` of two files drops a name that both have, without a word: the app would find undefined there. */
function refuseSameNames(files) {
  const places = new Map();
  for (const { file, exports } of files)
    for (const name of exports) places.set(name, [...(places.get(name) ?? []), file]);
  const shared = [...places].filter(([, files]) => files.length > 1);
  if (shared.length === 0) return;
  const list = shared.map(([name, files]) => `${name} is in ${files.join(' and ')}`).join('; ');
  throw new Error(`Rename one: files that the app loads with import() must not export the same name. ${list}.`);
}
