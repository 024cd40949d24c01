import { mixesAlphabets } from '../../contract/alphabets';
import {
  type ManualRedeemPlatform,
  manualRedeemPlatforms,
  type PaymentPlatform,
  paymentPlatformNames,
  paymentPlatforms,
  platformLabels,
} from '../../contract/platforms';

/** Variants of letters, such as full-width ones, are those letters. */
const toLower = (word: string) => word.normalize('NFKC').toLowerCase();
const toLetters = (word: string) => toLower(word).replace(/[^a-z]/g, '');

/** Each processor by the letters of its name and of its label. */
export const processorLetters: readonly { letters: string; processor: PaymentPlatform }[] =
  paymentPlatformNames.flatMap((processor) =>
    [...new Set([processor, toLetters(paymentPlatforms[processor].label)])].map((letters) => ({ letters, processor })),
  );

/** The processor with this name or label, however it is written. */
export const findProcessor = (method: string): PaymentPlatform | undefined =>
  processorLetters.find(({ letters }) => letters === toLetters(method))?.processor;

const toOneWord = (words: string) => toLower(words).replace(/[\s_-]/g, '');

/** The game platform with this name or label, in whatever case and with or without spaces. Digits tell two apart. */
export const findPlatform = (platform: string): ManualRedeemPlatform | undefined => {
  const word = toOneWord(platform);
  return manualRedeemPlatforms.find((name) => [name, platformLabels[name]].some((one) => toOneWord(one) === word));
};

/** Cyrillic and Greek letters and the Latin ones that they look like. */
const lookAlikes: ReadonlyMap<string, string> = new Map(
  ['аa', 'вb', 'сc', 'еe', 'ԍg', 'іi', 'кk', 'ӏl', 'оo', 'рp', 'ѕs', 'тt', 'хx', 'уy', 'αa', 'βb', 'εe', 'ιi']
    .concat(['κk', 'οo', 'ρp', 'τt', 'χx', 'υy', 'γy', 'νn', 'пn', 'гr'])
    .map(([letter = '', latin = '']) => [letter, latin]),
);

/** Whether a method reads like a processor in other letters, which would keep references apart. Unknown letters fit. */
function isDisguisedProcessor(method: string): boolean {
  if (findProcessor(method)) return false;
  const shown = [...toLower(method)]
    .filter((letter) => /\p{L}/u.test(letter))
    .map((letter) => (/[a-z]/.test(letter) ? letter : lookAlikes.get(letter)));
  return processorLetters.some(
    ({ letters }) =>
      shown.length === letters.length &&
      shown.every((letter, n) => letter === undefined || letter === letters[n]) &&
      shown.filter((letter) => letter !== undefined).length * 2 >= shown.length,
  );
}

/** Why a payment method cannot be told from another by eye; null when it can. */
export const findDisguise = (method: string): string | null =>
  method.split(/[^\p{L}\p{M}]+/u).some(mixesAlphabets)
    ? 'mixes letters of different alphabets'
    : isDisguisedProcessor(method)
      ? 'looks like the name of a payment processor, but has other letters'
      : null;

/** The processor of a purchase that has a reference: it has one purchase for each. */
export const findReferenceProcessor = (
  paid: Partial<Record<'payment_method' | 'payment_reference', string | null | undefined>>,
): PaymentPlatform | null => (paid.payment_reference && findProcessor(paid.payment_method ?? '')) || null;
