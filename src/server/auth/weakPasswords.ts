/** The base words of the most common passwords; attackers try hundreds of variations of each. */
const baseWords = [
  'password', 'passwort', 'passord', 'pass', 'qwerty', 'qwertz', 'azerty', 'letmein', 'welcome', 'iloveyou', 'loveyou', 'admin', 'administrator', 'root', 'login', 'master', 'dragon', 'monkey', 'football',
  'baseball', 'basketball', 'soccer', 'hockey', 'superman', 'batman', 'spiderman', 'pokemon', 'starwars', 'trustno', 'whatever', 'freedom', 'sunshine', 'princess', 'shadow', 'michael', 'jennifer', 'jordan', 'charlie',
  'jessica', 'daniel', 'ashley', 'computer', 'internet', 'samsung', 'google', 'facebook', 'changeme', 'secret', 'access', 'default', 'guest', 'test', 'testing', 'user', 'hello', 'flower', 'summer', 'winter', 'spring',
  'autumn', 'january', 'february', 'march', 'april', 'june', 'july', 'august', 'september', 'october', 'november', 'december', 'monday', 'friday', 'casino', 'gaming', 'jackpot', 'backoffice', 'abc', 'qwe', 'asd', 'zxc', 'love',
];
const keyboardRows = ['1234567890', '0987654321', 'abcdefghijklmnopqrstuvwxyz', 'zyxwvutsrqponmlkjihgfedcba', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'qwertzuiop', 'yxcvbnm', 'azertyuiop', '1qaz2wsx3edc4rfv5tgb', 'qazwsxedcrfvtgb'];
const substitutions: Readonly<Record<string, string>> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's', '!': 'i' };

/** Whether a text consists of runs along a keyboard row or the alphabet, or of repetitions. */
function isRun(text: string): boolean {
  if (new Set(text).size <= 2 || /^(.{1,6})\1+$/.test(text)) return true;
  const parts = text.match(/[a-z]+|\d+|[^a-z\d]+/g) ?? [];
  return parts.every((part) => keyboardRows.some((row) => row.includes(part)) || new Set(part).size === 1) || keyboardRows.some((row) => row.includes(text));
}

/** Whether a password is one of those that every attacker tries first. `email` is the account it is for. */
export function isWeakPassword(password: string, email: string): boolean {
  const text = password.trim().toLowerCase(), [name = ''] = email.toLowerCase().split('@');
  if (text === email.trim().toLowerCase() || isRun(text)) return true;
  const bare = text.replace(/^\P{L}+|\P{L}+$/gu, ''), unswapped = [...bare].map((letter) => substitutions[letter] ?? letter).join('');
  const isBaseWord = (word: string) => word === '' || word === name || baseWords.includes(word.replace(/^(.+)\1$/, '$1'));
  return text.length < 16 && (isBaseWord(bare) || isBaseWord(unswapped));
}
