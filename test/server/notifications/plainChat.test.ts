import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toPlainChat } from '../../../src/server/notifications/plainChat';

/**
 * What begins a link, a mention, an emoji or markup, by the documentation of each: mrkdwn of Slack, Markdown of
 * Mattermost, Rocket.Chat, Discord and Teams, and the addresses that they make links of by themselves.
 */
const begins: Readonly<Record<string, RegExp>> = {
  'control sequences of Slack, HTML, quotes': /[<>&]/,
  'links of Markdown': /[[\]]/,
  addresses: /:\/\/|\w\.\p{L}|mailto:\w|tel:\w/u,
  'mentions and e-mails': /@[\w]/,
  emoji: /:\w+:/,
  'bold, struck, spoiler, code': /[*~`|\\]/,
  emphasis: /(^|[^\p{L}\p{N}])_|_([^\p{L}\p{N}]|$)/mu,
  'headings, lists, rules and quotes': /^\s*([#>+=-]|\d+[.)])/m,
};
const attacks = [
  '[Your-account-is-locked](https://evil.example/x)…@acme.test signed in',
  '<https://evil.example|Sign in here> <!channel> <@U123>',
  '@everyone @here @channel @all see www.evil.example or evil.example/login?x=@acme.test',
  '![](https://evil.example/pixel.png) <img src=x> mailto:x@evil.example tel:+123',
  '**bold** *bold* _slanted_ __both__ ~~gone~~ ~gone~ ||hidden|| `code` ```block``` \\(x\\)',
  '# Heading\n> quote\n- list\n1. list\n---\n===\n:rotating_light: #general',
];

for (const attack of attacks)
  test(`nothing is a link or markup in ${JSON.stringify(attack.slice(0, 30))}`, () => {
    const plain = toPlainChat(attack);
    for (const [what, pattern] of Object.entries(begins)) assert.not.match(plain, pattern, what);
  });

test('what people read stays as it is', () => {
  const title = 'ann_of_acme@acme.test signed in from 10.1.2.3 at 10:30, $1,234.50 (new)';
  assert.is(toPlainChat(title).replaceAll('\u2060', ''), title);
});

test.run();
