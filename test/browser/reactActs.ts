/** What is done in the scenes of reactScenes.tsx, in any browser, and what they must have told then. */
import { build, type Plugin } from 'esbuild';
import type { Page } from 'playwright-core';
import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { wordsOfApp } from '../../src/build/leanReact.mjs';

/** The script of the page, with the whole of React or as the plugins make it. */
export async function scenesWith(plugins: Plugin[]): Promise<string> {
  const { outputFiles: [file] } = await build({
    entryPoints: ['test/browser/reactScenes.tsx'], bundle: true, write: false, minify: true, format: 'iife', target: 'es2022', jsx: 'automatic', logLevel: 'error', define: { 'process.env.NODE_ENV': '"production"' }, plugins,
  });
  return file?.text ?? '';
}

export type Act = (page: Page) => Promise<unknown>;
const type = (label: string, text: string): Act => (page) => page.getByLabel(label, { exact: true }).pressSequentially(text);
const click = (name: string): Act => (page) => page.getByRole('button', { name, exact: true }).click();
const press = (key: string): Act => (page) => page.keyboard.press(key);
/** Each press comes once the one before has been drawn. */
const acts = (...all: Act[]): Act => async (page) => { for (const act of all) { await act(page); await page.evaluate(() => new Promise((drawn) => { requestAnimationFrame(() => setTimeout(drawn)); })); } };

const useForm = acts(type('Name 0', 'ab'), press('ArrowLeft'), press('x'), press('y'), (page) => page.locator('[name=free]').fill('free'), click('Send'));
const fails = (...places: string[]) => acts(...places.flatMap((place) => [click(place), click('Try again')]));

/** What a person does in each scene; `compose` types Japanese into the text as an input method does, where it can be had. */
export const actsWith = (compose: Act): Record<string, Act> => ({
  form: useForm,
  'the same form drawn before': useForm,
  'another text drawn before': (page) => page.getByRole('button').click(),
  'another element drawn before': useForm,
  'less drawn before': useForm,
  'more drawn before': useForm,
  'a form drawn before and changed by a translator': useForm,
  'a form that fails while it is taken over': useForm,
  'a click on what is not yet taken over': acts(press('z'), click('Send')),
  fields: acts(
    (page) => page.getByLabel('number', { exact: true }).fill('12.50'), press('Backspace'), press('e'), (page) => page.getByLabel('text', { exact: true }).fill('two\nlines'), press('!'), compose,
    (page) => page.getByLabel('a', { exact: true }).click(), press('ArrowDown'), (page) => page.getByLabel('pick', { exact: true }).selectOption('c'),
    (page) => page.getByLabel('tick', { exact: true }).click(), press('Space'), type('fixed', 'no'), (page) => page.getByLabel('kept', { exact: true }).click(),
  ),
  thrower: acts(fails('drawing', 'insertion', 'layout', 'effect', 'ref', 'nested'), click('click'), click('cleanup'), click('over'), click('Try again')),
  'thrower without a boundary': acts(click('click'), click('effect')),
  tree: acts(
    (page) => page.getByLabel('c', { exact: true }).fill('typed'), click('step'), press('x'), click('later'), (page) => page.evaluate(() => document.querySelector('b')?.replaceChildren('changed by an extension')),
    click('portal'), click('inside'), press('Enter'), (page) => page.evaluate(() => document.querySelector('dialog')?.close()), click('step'),
    (page) => page.getByLabel('c', { exact: true }).focus(), press('Home'), press('Shift+ArrowRight'), press('F2'), press('F2'), // the field moves with what is marked in it
  ),
  properties: (page) => page.getByText('all told').waitFor(),
  events: (page) => page.getByText('all told').waitFor(),
  'an object': async () => undefined,
});

/** Of the words of the app, those by which React DOM does something of its own, and its events. */
const words = [...wordsOfApp()], known = new Set([...readFileSync('node_modules/react-dom/cjs/react-dom-client.production.js', 'utf8').matchAll(/"([\w -]+)"/g)].flatMap(([, found = '']) => found.split(' ')));
const named: Partial<Record<string, string[]>> = {
  properties: words.filter((word) => known.has(word) && /^[a-z]\w+$/.test(word) && !/^(on[A-Z].*|children|ref|key|style|length)$/.test(word)),
  events: words.filter((word) => /^on[A-Z]/.test(word)),
};

export type Played = Record<string, { told: string[]; html: string }>;
/** What each scene told and showed, on a page with its script. */
export async function play(page: Page, scenes: Record<string, Act>): Promise<Played> {
  const played: Played = {};
  for (const [name, act] of Object.entries(scenes)) {
    await page.evaluate((scene) => globalThis.reactScenes.draw(...scene), [name, named[name]] as const);
    await page.waitForFunction(() => globalThis.reactScenes.isDrawn());
    await act(page);
    played[name] = await page.evaluate(() => globalThis.reactScenes.end());
  }
  return played;
}

/** The same with both Reacts, and the scenes are what they are called. */
export function areTheSame(whole: Played, lean: Played): void {
  for (const name of Object.keys(whole)) assert.equal(lean[name], whole[name], name);
  const told = (name: string) => whole[name]?.told.join('\n') ?? '', html = (name: string) => whole[name]?.html ?? '';
  assert.match(told('form'), /clicked\nsent AXBY/);
  assert.not.match(told('the same form drawn before'), /window|console/);
  assert.match(html('the same form drawn before'), /AXBY/);
  for (const name of ['another text', 'another element', 'less', 'more']) assert.match(told(`${name} drawn before`), /window: .*#418/, name);
  assert.match(html('another element drawn before'), /<h3>new/);
  assert.match(told('a click on what is not yet taken over'), /clicked/);
  assert.match(told('thrower'), /from drawing[^]*from insertion[^]*from layout[^]*from effect[^]*from ref[^]*#185[^]*window: from the click[^]*from cleanup/);
  assert.match(told('thrower without a boundary'), /window: from effect/);
  assert.match(told('tree'), /inside\nsection inside/);
  assert.match(told('tree'), /closed/);
  assert.match(told('properties'), /a: .*<a href="a">.*<input disabled="">.*<path stroke-width="a">/);
  assert.match(told('properties'), /javascript:alert.*<a href="javascript:throw new Error/);
  for (const heard of ['p onClick', 'input onFocus', 'form onSubmit', 'dialog onClose']) assert.match(told('events'), new RegExp(`${heard}: .*nativeEvent`));
  assert.match(told('tree'), /key F2[^]*in c from 0 to 1/);
}
