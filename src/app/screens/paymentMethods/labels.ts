import { PAYMENT_ERROR_MS } from '../../../contract/constants';
import { type PaymentPlatform, paymentPlatformNames, paymentPlatforms } from '../../../contract/platforms';
import { orDash } from '../../api/parse';
import type { ErrorMessage } from '../../hooks/useErrorToast';

/** Errors of payment methods are shown for six seconds (docs/product.md, "Limits and constants"). */
export const withLongerToast = (message: string | ((error: unknown) => string)): ErrorMessage => ({
  message,
  ms: PAYMENT_ERROR_MS,
});

/** The payment platform with this name, if it is known. */
export const findPaymentPlatform = (name: string): PaymentPlatform | undefined =>
  paymentPlatformNames.find((known) => known === name);

/** The label of a payment platform; an unknown name is shown as it is. */
export function getPlatformLabel(name: string): string {
  const known = findPaymentPlatform(name);
  return known ? paymentPlatforms[known].label : orDash(name);
}

const special: Record<string, string> = { api: 'API', id: 'ID', url: 'URL' };
/** The label of a field: 'merchant_id' becomes 'Merchant ID'. */
export const formatFieldName = (name: string): string =>
  name
    .split('_')
    .map((word) => special[word] ?? word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
