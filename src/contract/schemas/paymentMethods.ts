import * as v from 'valibot';
import { paymentPlatformNames } from '../platforms';
import { boolean, httpsUrl, instant, maybe, number, oneOf, plainText, string, text } from './fields';

/** A payment processor that a tenant uses. Secret credentials are masked. */
export const PaymentMethod = v.object({
  id: number,
  tenant_id: number,
  tenant_name: string,
  payment_platform: v.picklist(paymentPlatformNames),
  is_active: boolean,
  webhook_url: maybe(string),
  credentials: v.record(string, string),
  created_at: instant,
});
export type PaymentMethod = v.InferOutput<typeof PaymentMethod>;

/** A `webhook_url` that is left out stays, a blank one is removed. */
export const PaymentMethodQuery = v.object({ webhook_url: v.optional(httpsUrl) });

export const NewPaymentMethodQuery = v.object({
  payment_platform: oneOf(paymentPlatformNames),
  webhook_url: v.optional(httpsUrl),
});

/** An empty or masked value keeps what is stored. */
export const PaymentCredentials = v.record(v.pipe(plainText, v.maxLength(100)), text(2000), 'expected an object');
export type PaymentCredentials = v.InferOutput<typeof PaymentCredentials>;
