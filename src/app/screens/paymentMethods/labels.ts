import { PAYMENT_ERROR_MS, paymentPlatformNames, paymentPlatforms, type PaymentPlatform } from '../../../contract/constants';
import type { ErrorMessage } from '../../hooks/useErrorToast';
import { orDash } from '../../api/parse';

/** Errors of payment methods stay for six seconds (spec 9). */
export const withLongerToast = (message: string | ((error: unknown) => string)): ErrorMessage =>
  ({ message, ms: PAYMENT_ERROR_MS });

/** The payment platform of that name, if the product knows it. */
export const findPaymentPlatform = (name: string): PaymentPlatform | undefined => paymentPlatformNames.find((known) => known === name);

/** The name a payment platform is shown by; an unknown one stands as it is. */
export function getPlatformLabel(name: string): string {
  const known = findPaymentPlatform(name);
  return known ? paymentPlatforms[known].label : orDash(name);
}

const special: Record<string, string> = { api: 'API', id: 'ID', url: 'URL' };
/** 'merchant_id' reads 'Merchant ID'. */
export const formatFieldName = (name: string): string =>
  name.split('_').map((word) => special[word] ?? word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
