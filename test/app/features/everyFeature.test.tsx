/**
 * Every screen and dialog with all features, with none, and with all but one that it asks for: without a feature
 * neither its calls are made nor its words shown, and with none there is nothing that docs/product.md does not name.
 */
import { readFileSync } from 'node:fs';
import { cleanup } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../../src/contract/allCalls';
import type { CallName, CallSpec } from '../../../src/contract/calls';
import { look, offers, restoreWindow, type Seen } from './look';
import { surfaces } from './surfaces';
import { fillWorld } from './world';

test.before(fillWorld);
test.after(cleanup);
test.after(restoreWindow);

/** Words that are no text of ours. */
const names = /\b(Acme|Bravo|Platform|VBlink|YOLO|Golden Dragon|Apex Processing of)\b/g;
/** Names of controls without a text on screen, and what no server has a part in. */
const own =
  /^(Skip to content|Rows per page|Search User|Metadata|(Credit|Bonus|VIP|Loyalty) Operation|is active|Edit credentials|Copy \w+)$/;
const contract = readFileSync('docs/product.md', 'utf8').replace(/\s+/g, ' ');
function isSpecified(words: string): boolean {
  const text = words.replace(names, '').trim().replace(/ for$/, '');
  const key = text.includes(' ') ? text.toLowerCase().replaceAll(' ', '_') : text;
  return [words, text, key].some((one) => contract.includes(one)) || own.test(text);
}
/** What is shown or sent as words that can be looked up: 'field: Email' is 'Email', 'createTenant {name}' is 'name'. */
const wordsOf = ({ shown, sent }: Seen): string[] => [
  ...shown
    .map((line) => line.replace(/^\w+: /, ''))
    .filter((words) => !words.includes('#') && !words.includes('(email)')),
  ...sent.flatMap((line) => line.match(/(?<=[ ?{])\w[\w-]*(?=[ }]|$)/g) ?? []),
];
/** The session logs out by itself; state/session.test.tsx tries it without the feature. */
const featureOf = (call: CallName) => (call === 'logout' ? undefined : (calls[call] as CallSpec).feature);

test('with no feature, only what docs/product.md names is shown and sent; with all but one, none of its calls is made', async () => {
  const found = new Set<string>();
  for (const surface of surfaces) {
    const all = await look(surface, offers);
    if (!all) continue; // everyScreen says so
    const none = surface.feature ? null : await look(surface, undefined);
    for (const words of none ? wordsOf(none) : [])
      if (!isSpecified(words)) found.add(`${surface.name} shows or sends '${words}' without a feature`);
    for (const call of none?.made ?? [])
      if (featureOf(call)) found.add(`${surface.name} calls ${call} without '${featureOf(call)}'`);
    const extra = new Set(all.made.map(featureOf).filter((name) => name !== undefined));
    for (const left of extra) {
      if (left === surface.feature) continue;
      const others = await look(
        surface,
        offers.filter((name) => name !== left),
      );
      for (const call of others?.made ?? [])
        if (featureOf(call) === left) found.add(`${surface.name} calls ${call} without '${left}' alone`);
    }
  }
  assert.is([...found].sort().join('\n'), '');
});

test.run();
