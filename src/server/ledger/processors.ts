import { type PaymentPlatform, paymentPlatformNames, paymentPlatforms } from '../../contract/constants';

const toLetters = (word: string) => word.toLowerCase().replace(/[^a-z]/g, '');

/** Each processor by the letters of its name and of its label. */
export const processorLetters: readonly { letters: string; processor: PaymentPlatform }[] =
  paymentPlatformNames.flatMap((processor) =>
    [...new Set([processor, toLetters(paymentPlatforms[processor].label)])].map((letters) => ({ letters, processor })),
  );

/** The processor with this name or label, however it is written. */
export const findProcessor = (method: string): PaymentPlatform | undefined =>
  processorLetters.find(({ letters }) => letters === toLetters(method))?.processor;

/** The processor of a purchase that has a reference: it has one purchase for each. */
export const findReferenceProcessor = ({
  payment_method,
  payment_reference,
}: {
  payment_method?: string | null | undefined;
  payment_reference?: string | null | undefined;
}): PaymentPlatform | null => (payment_reference && findProcessor(payment_method ?? '')) || null;
