// Cuts a style sheet down to the rules that can match something in the app, and to the variables that are still read.
// It errs on the side of keeping: any word in a `className` counts as a class in use, any `type="x"` as an input that may be shown.

/** A list of `{ head, body }`: body is text for a declaration block, a list for a nested one. */
function parse(css) {
  let at = 0;
  const nodes = () => {
    const list = [];
    while (at < css.length && css[at] !== '}') {
      const start = at;
      at = skipTo('{;}', at);
      if (css[at] === ';') { list.push({ head: css.slice(start, ++at).trim(), body: null }); continue; }
      if (css[at] !== '{') break;
      const head = css.slice(start, at++).trim();
      if (/^@(media|supports|layer)/.test(head)) list.push({ head, body: nodes() });
      else {
        const from = at;
        at = blockEnd(at);
        list.push({ head, body: css.slice(from, at) });
      }
      at++;
    }
    return list;
  };
  const skipTo = (ends, from) => {
    for (let i = from, quote = '', depth = 0; i < css.length; i++) {
      const c = css[i];
      if (quote) { if (c === '\\') i++; else if (c === quote) quote = ''; } else if (c === '"' || c === "'") quote = c;
      else if (c === '(' || c === '[') depth++;
      else if (c === ')' || c === ']') depth--;
      else if (depth === 0 && ends.includes(c)) return i;
    }
    return css.length;
  };
  const blockEnd = (from) => {
    let i = from;
    for (let depth = 1; ; i++) {
      i = skipTo('{}', i);
      depth += css[i] === '{' ? 1 : -1;
      if (depth === 0 || i >= css.length) return i;
    }
  };
  return nodes();
}

/** Splits at commas that stand outside brackets. */
function splitTop(text, separator = ',') {
  const parts = [];
  let depth = 0, quote = '', from = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quote) { if (c === quote) quote = ''; continue; }
    if (c === '"' || c === "'") quote = c;
    else if (c === '(' || c === '[') depth++;
    else if (c === ')' || c === ']') depth--;
    else if (c === separator && depth === 0) { parts.push(text.slice(from, i)); from = i + 1; }
  }
  parts.push(text.slice(from));
  return parts.map((part) => part.trim()).filter(Boolean);
}

const bracketEnd = (text, open) => {
  for (let i = open, depth = 0; i < text.length; i++) {
    if (text[i] === '(') depth++;
    if (text[i] === ')' && --depth === 0) return i;
  }
  return text.length;
};

/** A selector without what cannot match, or null when nothing of it can. */
function pruneSelector(selector, used) {
  let rest = selector, out = '';
  for (let match; (match = /:(is|where|not|has|host)\(/.exec(rest));) {
    const open = match.index + match[0].length - 1, end = bracketEnd(rest, open);
    out += rest.slice(0, match.index);
    const inner = splitTop(rest.slice(open + 1, end)).map((part) => pruneSelector(part, used)).filter(Boolean);
    // What a :not() excludes but cannot occur excludes nothing.
    if (inner.length) out += `:${match[1]}(${inner.join(',')})`;
    else if (match[1] !== 'not') return null;
    rest = rest.slice(end + 1);
  }
  const plain = stripFunctions(selector).replace(/::?[\w-]+(\([^)]*\))?/g, ' ');
  const attributes = [...plain.matchAll(/\[([\w-]+)(?:[~|^$*]?=["']?([^"'\]]*)["']?)?\]/g)];
  if (attributes.some(([, name, value]) => !used.attribute(name, value))) return null;
  const bare = plain.replace(/\[[^\]]*\]/g, ' ');
  if ([...bare.matchAll(/\.([\w-]+)/g)].some(([, name]) => !used.word(name))) return null;
  if (/#[\w-]/.test(bare)) return null;
  if ([...bare.matchAll(/(?:^|[\s>+~,])([a-z][\w-]*)/g)].some(([, tag]) => !used.tag(tag))) return null;
  return out + rest;
}

function stripFunctions(selector) {
  let text = selector;
  for (let match; (match = /:(is|where|not|has|host)\(/.exec(text));) text = text.slice(0, match.index) + text.slice(bracketEnd(text, match.index + match[0].length - 1) + 1);
  return text;
}

function pruneNodes(nodes, used) {
  return nodes.flatMap(({ head, body }) => {
    if (body === null) return [];
    if (typeof body !== 'string') {
      const inner = pruneNodes(body, used);
      return inner.length ? [{ head, body: inner }] : [];
    }
    if (head.startsWith('@')) return used.unwanted(head) ? [] : [{ head, body }];
    const selectors = splitTop(head).filter((one) => !used.unwanted(one)).map((one) => pruneSelector(one, used)).filter(Boolean);
    return selectors.length ? [{ head: selectors.join(','), body }] : [];
  });
}

const print = (nodes) => nodes.map(({ head, body }) => `${head}{${typeof body === 'string' ? body : print(body)}}`).join('\n');

/**
 * `sources`: everything that can name a tag, class, attribute or value. `unwanted`: selectors to drop whatever they match.
 * `without`: what the properties to drop begin with.
 * `css` must be minified; `also` is style that stays whole, may read variables, and whose `:root` variables replace those of `css`.
 */
export function pruneCss(css, { sources, unwanted = () => false, without = /^$/, also = '' }) {
  const wordsOf = (text) => new Set(text.match(/[\w-]+/g));
  const words = wordsOf(sources), tags = new Set(['html', 'body', 'a', ...[...sources.matchAll(/<([a-z][a-z0-9]*)/g)].map(([, tag]) => tag)]);
  const classes = wordsOf([...sources.matchAll(/className=("[^"]*"|\{[^\n]*)/g)].join(' '));
  const valued = (name) => new Set([...sources.matchAll(new RegExp(`\\b${name}="([\\w-]+)"`, 'g'))].map(([, value]) => value));
  const exact = { type: valued('type'), role: valued('role') };
  const used = {
    word: (name) => classes.has(name), tag: (name) => tags.has(name), unwanted,
    attribute: (name, value) => (exact[name] && value ? exact[name].has(value) : words.has(name) && (!value || words.has(value))),
  };
  const replaced = new Set([.../^:root\{([^}]*)\}/.exec(also)?.[1].matchAll(/(--[\w-]+):/g) ?? []].map(([, name]) => name));
  const isReplaced = (head, name) => /:root|data-theme/.test(head) && replaced.has(name);
  let nodes = pruneNodes(parse(css), used);
  for (let before = ''; before !== print(nodes);) {
    before = print(nodes);
    const read = new Set([...(before + also).matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name));
    nodes = dropLines(nodes, (head, name) => (name.startsWith('--') ? read.has(name) && !isReplaced(head, name) : !without.test(name)));
  }
  const named = print(nodes);
  return print(nodes.filter(({ head }) => !head.startsWith('@keyframes') || named.includes(head.split(/\s+/)[1] + ' ') || also.includes(head.split(/\s+/)[1])));
}

function dropLines(nodes, isKept) {
  return nodes.flatMap(({ head, body }) => {
    if (typeof body !== 'string') {
      const inner = dropLines(body, isKept);
      return inner.length ? [{ head, body: inner }] : [];
    }
    if (head.startsWith('@')) return [{ head, body }];
    const left = splitTop(body, ';').filter((line) => isKept(head, line.slice(0, line.indexOf(':')).trim()));
    return left.length ? [{ head, body: left.join(';') }] : [];
  });
}
