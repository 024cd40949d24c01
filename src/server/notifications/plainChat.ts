/**
 * Text for chats in which nothing is a link, a mention or markup. Slack, Mattermost, Rocket.Chat, Discord and Teams
 * have no escape in common. So a character that begins markup becomes one that looks like it, and what would make a
 * link, a mention or an emoji is parted by a character that nobody sees.
 */
const lookAlikes: Readonly<Record<string, string>> = {
  '&': '＆',
  '<': '‹',
  '>': '›',
  '[': '［',
  ']': '］',
  '*': '∗',
  '~': '∼',
  '`': 'ʹ',
  '|': '∣',
  '#': '＃',
  '\\': '＼',
  _: '＿',
};
const WORD_JOINER = '\u2060';

export const toPlainChat = (text: string): string =>
  text
    // within a word an underscore is no markup anywhere
    .replace(/[&<>[\]*~`|#\\]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, (letter) => lookAlikes[letter] ?? letter)
    .replace(/[:@/]|\.(?=\p{L})/gu, `$&${WORD_JOINER}`)
    // at the start of a line: lists, headings, code
    .replace(/^/gm, WORD_JOINER);
