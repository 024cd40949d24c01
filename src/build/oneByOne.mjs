import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Lets each constant of the contract, and each way to read a value, lie in the file that needs it: the bundler parts modules, not what is in them. */
export const oneByOne = {
  name: 'one-by-one',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/(constants|read)\?\w+$/ }, ({ path, resolveDir }) => {
      const [file, name] = join(resolveDir, path).split('?');
      return { path: `${file}.ts`, suffix: `?${name}`, sideEffects: false };
    });
    onLoad({ filter: /\/src\/(app|contract)\/.*\.tsx?$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/^import \{(.*)\} from '(.*\/(?:constants|read))';$/gm, (_, names, from) =>
        names.split(',').map((name) => name.trim()).filter((name) => !name.startsWith('type ')).map((name) => `import { ${name} } from '${from}?${name}';`).join(' ')),
      loader: path.endsWith('x') ? 'tsx' : 'ts',
    }));
  },
};
