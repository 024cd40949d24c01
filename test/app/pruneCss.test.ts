import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inlineOnce } from '../../src/build/inlineOnce.mjs';
import { shortNames } from '../../src/build/shortNames.mjs';
import { pruneCss } from '../../src/build/pruneCss.mjs';

const sources = '<main className="bar wide"><input type="text"/><button disabled>'; // what an app may hold
const prune = (css: string, more: object = {}) => pruneCss(css, { sources, ...more }).replace(/\n/g, '');

test('rules for tags, classes and attributes that do not occur are dropped, the others stay', () => {
  assert.is(prune('main{a:1}nav{a:1}.bar{a:1}.foo{a:1}[type=text]{a:1}[type=color]{a:1}[disabled]{a:1}[open]{a:1}*{a:1}:root{a:1}body{a:1}a:hover{a:1}'),
    'main{a:1}.bar{a:1}[type=text]{a:1}[disabled]{a:1}*{a:1}:root{a:1}body{a:1}a:hover{a:1}');
});
test('a list keeps what can match', () => assert.is(prune('main,nav,main>button,.bar nav{a:1}'), 'main,main>button{a:1}'));
test('alternatives that cannot match are taken out, exclusions of what cannot occur exclude nothing', () => {
  assert.is(prune('main:is(.bar,.foo){a:1}'), 'main:is(.bar){a:1}');
  assert.is(prune('main:is(.foo){a:1}'), '');
  assert.is(prune('input:not([type=color],[type=text]){a:1}'), 'input:not([type=text]){a:1}');
  assert.is(prune('input:not([type=color]){a:1}'), 'input{a:1}');
});
test('media queries go with their last rule', () => assert.is(prune('@media print{nav{a:1}}@media (min-width:1px){nav{a:1}main{a:1}}'), '@media (min-width:1px){main{a:1}}'));
test('variables nobody reads are dropped, one after the other', () => {
  assert.is(prune(':root{--a:var(--b);--b:1;--c:2;--d:3}main{x:var(--c)}'), ':root{--c:2}main{x:var(--c)}');
  assert.is(prune(':root{--a:1;--b:2}', { also: 'p{x:var(--b)}' }), ':root{--b:2}');
});
test('variables the sheet above sets itself are left to it', () => assert.is(prune(':root{--a:1}main{x:var(--a)}', { also: ':root{--a:2}' }), 'main{x:var(--a)}'));
test('data in quotes and brackets is no structure', () => {
  const css = 'main{background:url("data:image/svg+xml,%3Csvg a=\'{;}\'")}';
  assert.is(prune(css), css);
});
test('unwanted selectors go whatever they match', () => assert.is(prune('main{a:1}main:after{a:1}', { unwanted: (selector: string) => selector.includes('after') }), 'main{a:1}'));
test('properties nobody wants go from every rule', () => {
  assert.is(prune('main{-webkit-a:1;b:2}@media (min-width:1px){main{-webkit-a:1}}', { without: /^-webkit-/ }), 'main{b:2}');
});

test('a variable set once and read once or twice gives way to its value', () => {
  assert.is(inlineOnce(':root{--a:1;--b:2}p{x:var(--a)}'), ':root{}p{x:1}', 'as does one that nobody reads');
  assert.is(inlineOnce(':root{--a:light-dark(#fff,#000)}p{x:var(--a, var(--z));y:var(--a)}'), ':root{}p{x:light-dark(#fff,#000);y:light-dark(#fff,#000)}');
  for (const kept of [
    ':root{--a:1}p{--a:2;x:var(--a)}', 'p{--a:1;x:var(--a)}', ':root{--a:1}p{x:var(--a);y:var(--a);z:var(--a)}',
    ':root{--c:red;--a:var(--c)}p{--c:blue;x:var(--a)}', ':root{--a:1;--a-b:2}p{--a:3;x:var(--a) var(--a-b)}q{--a-b:1}', '@media print{p{--a:1}}q{x:var(--a)}',
  ]) assert.is(inlineOnce(kept), kept);
  assert.is(inlineOnce(':root{--a:1}p{x:var(--a)}', "style={{ color: 'var(--a)' }}"), ':root{--a:1}p{x:var(--a)}');
});

test('a variable is called by a letter everywhere, the most used by the first, and what the app names keeps its name', () => {
  assert.is(shortNames(':root{--pico-color:red;--line:var(--pico-color)}p{color:var(--pico-color, var(--line-2))}'), ':root{--a:red;--b:var(--a)}p{color:var(--a, var(--c))}');
  assert.is(shortNames(':root{--a:1;--long:2}p{x:var(--long)}', "style={{ x: 'var(--a)' }}"), ':root{--a:1;--b:2}p{x:var(--b)}', 'which no other one gets');
  const many = Array.from({ length: 60 }, (_, n) => `--name-${n}x:${n}`), short = shortNames(`:root{${many.join(';')}}`);
  assert.is(new Set(short.match(/--\w+/g)).size, 60, 'each its own');
});

test.run();
