/**
 * Bundles React DOM without what this app never asks of it: features it does not use (leftOut.mjs lists them), and events, properties and elements
 * that nothing in it names. What is left out can either not be imported, which fails the build, or says so by an error where it would begin.
 * `npm run build -- --whole-react` bundles React as it comes.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { absentKinds, cases, constants, eventsLeftOut, exportsLeftOut, functions, hooks, lists, statements, texts, version } from './leftOut.mjs';

const files = { 'react-dom/client.js': 'react-dom-client', 'react-dom/index.js': 'react-dom', 'react/index.js': 'react', 'react/jsx-runtime.js': 'react-jsx-runtime', 'scheduler/index.js': 'scheduler' };

/** An esbuild plugin. */
export const leanReact = {
  name: 'lean-react',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/](index|client|jsx-runtime)\.js$/ }, ({ path }) => {
      const name = files[path.split(/[\\/]/).slice(-2).join('/')];
      return { contents: `export * from './cjs/${name}.production.js';` };
    });
    onLoad({ filter: /[\\/](react|react-dom|scheduler)[\\/]cjs[\\/][\w-]+\.production\.js$/ }, ({ path }) => ({ contents: leanText(path, wordsOfApp()) }));
  },
};

/** What is bundled instead of a file of React, for an app of these words. */
export function leanText(path, words) {
  const text = asModule(readFileSync(path, 'utf8'));
  if (path.endsWith('react-dom-client.production.js')) return leanDom(text, words);
  return text
    .replace(/^export (?=(?:function|var) (\w+))/gm, (found, name) => (exportsLeftOut.includes(name) ? '' : found))
    .replace(/^export \{ (\w+) \};$/gm, (found, name) => (exportsLeftOut.includes(name) ? '' : found));
}

/** The words in all that is bundled beside React: no property, element or event is in use that none of them names. */
export function wordsOfApp() {
  const textsIn = (folder) => readdirSync(folder, { recursive: true }).filter((file) => /\.(tsx?|js)$/.test(file)).map((file) => readFileSync(join(folder, file), 'utf8'));
  return new Set(['src/app', 'src/contract', 'node_modules/wouter/src'].flatMap(textsIn).join('\n').match(/\w+/g));
}

/** A CommonJS file of React with `import` and `export`, so that the bundler takes of it what is used. */
function asModule(text) {
  const exported = new Set();
  return text
    .replace(/^(?:var| ) ?(\w+) = require\("([\w-]+)"\)[,;]$/gm, (_, name, from) => `import * as ${name} from '${from}';`)
    .replace(/^exports\.(\w+) = \1;$/gm, (_, name) => (exported.add(name), `export { ${name} };`))
    .replace(/^exports\.(\w+) =(?: (function) |\s)/gm, (_, name, isFunction) => {
      if (exported.has(name)) throw new Error(`${name} is exported twice`);
      exported.add(name);
      return isFunction ? `export function ${name}` : `export var ${name} = `;
    })
    .replace(/\bexports\.(\w+)/g, (_, name) => {
      if (!exported.has(name)) throw new Error(`${name} is not exported`);
      return name;
    });
}

function leanDom(whole, words) {
  if (!whole.includes(`export var version = "${version}";`)) throw new Error(`src/build/leftOut.mjs is made for React DOM ${version}: build with --whole-react, or go through that list for this version`);
  const unheard = eventsLeftOut.find((name) => words.has(name) || words.has(`${name}Capture`));
  if (unheard) throw new Error(`${unheard}: React DOM is bundled without this event; take it out of src/build/leftOut.mjs, or call a property of your own otherwise`);

  let text = whole;
  for (const start of statements) text = replaced(text, start, new RegExp(`^${escaped(start)}[\\s\\S]*?^\\};?$`, 'gm'), () => '');
  for (const name of hooks) text = withoutHook(text, name);
  for (const [start, isUsed] of lists(words)) text = withoutWords(text, start, isUsed);
  text = withoutCases(text, '(?!update\\.)(?:\\w+\\.)+tag', (kind) => !absentKinds.includes(Number(kind)));
  for (const [name, on, isUsed] of cases(words)) {
    text = replaced(text, name, new RegExp(`^function ${escaped(name)}\\([\\s\\S]*?^\\}$`, 'gm'), (found) => withoutCases(found, escaped(on), isUsed));
  }
  for (const [name, body] of functions) text = replaced(text, name, new RegExp(`^(function ${escaped(name)}\\([\\s\\S]*?\\) \\{)$[\\s\\S]*?^\\}$`, 'gm'), (_, head) => `${head} ${body} }`);
  for (const [from, to, times] of texts) text = replaced(text, from, patternOf(from), () => to, times);
  for (const [name, value] of Object.entries(constants)) text = withConstant(text, name, value);
  return withoutKinds(text)
    .replace(/= (createSyntheticEvent|assign|getVendorPrefixedEventName)\(/g, '= /* @__PURE__ */ $1(')
    .concat("function leftOut() { throw Error('This part of React DOM is left out: see src/build/leftOut.mjs'); }\n");
}

function replaced(text, what, pattern, to, times = 1) {
  let found = 0;
  const result = text.replace(pattern, (...all) => (found++, to(...all)));
  if (found !== times) throw new Error(`React DOM is not as src/build/leftOut.mjs expects: found ${found} times, not ${times}: ${what}`);
  return result;
}

const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Finds a text however it is broken into lines; '…' stands for anything within a function. */
function patternOf(from) {
  const tokens = from.match(/[\w$]+|\S/g), isWord = (token) => /[\w$]/.test(token ?? '');
  const gap = (at) => (isWord(tokens[at]) && isWord(tokens[at + 1]) ? '\\s+' : at < tokens.length - 1 ? '\\s*' : '');
  const parts = tokens.map((token, at) => (token === '…' ? '(?:(?!\\n\\}\\n)[\\s\\S])*?' : escaped(token)) + gap(at));
  return new RegExp(`${isWord(tokens[0]) ? '(?<![\\w$.])' : ''}${parts.join('')}`, 'g');
}

/** Without a hook in each of the four tables of hooks. */
function withoutHook(text, name) {
  const [start, end] = ['\nvar ContextOnlyDispatcher', '\nfunction applyDerivedStateFromProps('].map((mark) => text.indexOf(mark));
  const tables = replaced(text.slice(start, end), name, new RegExp(`^    ${name}: [\\s\\S]*?(?=^    \\w+: |^  \\})`, 'gm'), () => '', 4);
  return text.slice(0, start) + tables + text.slice(end);
}

/** Leaves the used words of a text of words, or the lines of a table whose first word is used. */
function withoutWords(text, start, isUsed) {
  return replaced(text, start, new RegExp(`${escaped(start)}[\\s\\S]*?\\)`, 'g'), (found) => found
    .replace(/^ +\["([^"]+)", "[^"]+"\],?\n/gm, (line, word) => (isUsed(word) ? line : ''))
    .replace(/^ *"([\w ]+)"\.split\(/gm, (_, words) => `"${words.split(' ').filter(isUsed).join(' ')}".split(`));
}

/** Leaves out the cases whose labels are all unused, in every switch on this. */
function withoutCases(text, on, isUsed) {
  const lines = text.split('\n'), heads = [...lines.entries()].flatMap(([at, line]) => {
    const found = new RegExp(`^( +)(?:\\w: )?switch \\(${on}\\) \\{$`).exec(line);
    return found ? [{ indent: found[1], head: at }] : [];
  });
  if (!heads.length) throw new Error(`React DOM is not as src/build/leftOut.mjs expects: nothing switches on ${on}`);
  for (const { indent, head } of heads.reverse()) { // inner ones first
    const label = new RegExp(`^${indent}  (?:case "?(\\w+)"?|default):$`), inside = new RegExp(`^${indent}    [^ )}\\]]`);
    let dead = '', isFallenInto = false, lastKept = 0, at = head + 1;
    const isAtEnd = () => (lines[at] ?? `${indent}}`) === `${indent}}`;
    while (!isAtEnd()) {
      const labels = [];
      for (let found; (found = label.exec(lines[at])); at++) labels.push({ at, isUsed: found[1] === undefined || isUsed(found[1]) });
      const begin = at;
      while (!isAtEnd() && !label.test(lines[at])) at++;
      const last = lines.slice(begin, at).findLast((line) => inside.test(line)) ?? '';
      for (const one of labels) if (!one.isUsed) lines[one.at] = '';
      if (isFallenInto || labels.some((one) => one.isUsed)) {
        isFallenInto = !/^ *(return|break|throw|continue)\b/.test(last);
        lastKept = at - 1;
      } else {
        dead += `\n${indent}    if (false) {\n${lines.slice(begin, at).join('\n')}\n${indent}    }`;
        lines.fill('', begin, at);
      }
    }
    // As dead code behind something that is left, so that the names it declares stay declared.
    if (lastKept) lines[lastKept] += dead;
    else lines.fill('', head, at + 1);
  }
  return lines.join('\n');
}

/** With its value wherever it is read, and without the statements that set it. */
function withConstant(text, name, value) {
  return text
    .replace(new RegExp(`(?<=[;{}]\\n) +${escaped(name)} = [^;\\n]*;$`, 'gm'), '')
    .replace(new RegExp(`\\(${escaped(name)} = (?:!0|!1|null|0)\\)`, 'g'), '0')
    .replace(new RegExp(`(?<![\\w$.]|var )${escaped(name)}(?![\\w$]| (?:[|&+*-]|<<)?=[^=])`, 'g'), value);
}

/** Nothing is of a kind that does not exist. */
function withoutKinds(text) {
  const kinds = `\\b(?:${absentKinds.join('|')})`, tag = '(?:[\\w$]+\\.)*(?:tag|nodeTag|grandTag|_instance\\d?)(?:\\$\\d+)?(?![\\w$])';
  return text.replace(new RegExp(`${kinds} === ${tag}`, 'g'), 'false').replace(new RegExp(`${kinds} !== ${tag}`, 'g'), 'true');
}
