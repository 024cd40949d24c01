/** Which passwords are too easy to guess: a list of common ones, and what a guesser makes of it. */
import { dictionary } from '@zxcvbn-ts/language-common';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { DEMO_PASSWORD } from '../../../src/contract/demoAccounts';
import { isWeakPassword } from '../../../src/server/auth/weakPasswords';

const EMAIL = 'mara.lind@harbor.test';
const isWeak = (password: string) => isWeakPassword(password, EMAIL);

test('none of the 3,000 most common passwords is accepted, with or without capitals [ASVS 6.2.4]', async () => {
  const common = dictionary['passwords-common'].filter((password) => password.length >= 8).slice(0, 3_000);
  assert.is(common.length, 3_000);
  const taken: string[] = [];
  for (const [index, password] of common.entries()) {
    if (!(await isWeak(index % 2 ? password : `${password[0]?.toUpperCase()}${password.slice(1)}`)))
      taken.push(password);
  }
  assert.equal(taken, []);
});

test('a common word with a year, figures or signs around it is weak, and so are runs, repeats and dates', async () => {
  for (const password of [
    ...['Welcome2026!', 'Summer2026!', 'October#1', 'Passwort1!', 'p4$$w0rd2026', '!!letmein!!', 'trustno1trustno1'],
    ...['qwerty123456', 'zxcvbnm,./', 'abcdefghij', '1234567890', 'aaaaaaaaaaaaaaaaaaaa', 'abcabcabcabc'],
    ...['14.07.1984'],
  ])
    assert.is(await isWeak(password), true, password);
});

test("so are one's own e-mail, its parts, and words of this product", async () => {
  for (const password of [
    ...[EMAIL, EMAIL.toUpperCase(), 'mara1234', 'Lind2026!', 'harborharbor', 'backoffice1', 'Casino123'],
    ...['jackpot!!'],
  ]) {
    assert.is(await isWeak(password), true, password);
  }
  assert.is(await isWeakPassword('lindharbor.mara', 'ann@acme.test'), false, 'to somebody else they are no such words');
});

test('words that are not common together, and random ones, are taken', async () => {
  for (const password of [
    DEMO_PASSWORD,
    'violet harbour 42 lanterns',
    'chosen by hand',
    'correct horse battery',
    'пароль из слов',
    'kX7#pQ2v',
    'dGhlIHF1aWNr',
    '83 gulls over Tarn',
  ])
    assert.is(await isWeak(password), false, password);
});

test('the longest password is checked as quickly as a short one', async () => {
  await isWeak('warms up');
  for (const piece of ['p4$$w0rd!1', '1!|iIl', 'password1summer2026', '4@8({[<6']) {
    const before = process.cpuUsage();
    await isWeak(piece.repeat(1_000).slice(0, 1_000));
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 500_000, `${piece}: ${(user + system) / 1_000} ms`);
  }
});

test.run();
