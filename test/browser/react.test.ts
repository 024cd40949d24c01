/** React DOM as build.mjs bundles it, without what the app does not use, beside the whole of it: the same in a real browser, in what seldom happens too. */
import type { Plugin } from 'esbuild';
import type { CDPSession, Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { leanReact } from '../../src/build/leanReact.mjs';
import { newVisit, type Visit } from './harness';
import { actsWith, areTheSame, play, scenesWith, type Act } from './reactActs';

let visit: Visit | undefined;
test.after(() => visit?.close());

async function pageWith(plugins: Plugin[]): Promise<Page> {
  await visit?.close();
  visit = await newVisit({ url: 'about:blank' });
  await visit.page.setContent('<!doctype html><title>Scenes</title>');
  await visit.page.addScriptTag({ content: await scenesWith(plugins) });
  return visit.page;
}

/** Japanese as an input method writes it: nothing is settled until it is chosen. */
const compose: Act = async (page) => {
  const browser: CDPSession = await page.context().newCDPSession(page);
  await page.getByLabel('text', { exact: true }).fill('');
  for (const text of ['に', 'にほ', 'にほん', '日本']) await browser.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  await browser.send('Input.insertText', { text: '日本' });
  for (const text of ['e', 'é']) await browser.send('Input.imeSetComposition', { text, selectionStart: 1, selectionEnd: 1 });
  await browser.send('Input.insertText', { text: 'é' });
};

test('what the app uses of React DOM does in the bundle what it does in the whole of it', async () => {
  const scenes = actsWith(compose);
  const whole = await play(await pageWith([]), scenes);
  areTheSame(whole, await play(await pageWith([leanReact]), scenes));
  assert.match(whole['fields']?.told.join('\n') ?? '', /text にほん\n[^]*text 日本\ntext 日本e\n/);
  assert.match(whole['fields']?.html ?? '', />日本é</);
});

test('what is left out of React DOM says so where it would begin', async () => {
  const leftOut = ['a lazy part', 'Suspense', 'a resource', 'a custom element', 'a ref on a fragment', 'an action'], noChild = ['a promise', 'an object', 'a lazy child'];
  const played = await play(await pageWith([leanReact]), Object.fromEntries(['a thrown promise', ...leftOut, ...noChild].map((name) => [name, async () => undefined])));
  for (const name of leftOut) assert.match(played[name]?.html ?? '', /role="alert">This part of React DOM is left out: see src\/build\/leftOut\.mjs</, name);
  for (const name of noChild) assert.match(played[name]?.html ?? '', /role="alert">Minified React error #31;/, name);
  assert.match(played['a thrown promise']?.html ?? '', /role="alert">\[object Promise\]</);
});

test.run();
