/** Signatures of webhooks: a MAC over the raw body with a shared secret. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { SIGNATURE_SECONDS } from '../../contract/integrations';
import type { PaymentPlatform } from '../../contract/platforms';

/** BTCPay Server has its own scheme; the other processors sign a timestamp together with the body. */
export const getSignatureHeader = (platform: PaymentPlatform) => (platform === 'btcpay' ? 'BTCPay-Sig' : 'X-Signature');

/** Whether the header is a valid signature of the body, compared in constant time. */
export function isValidSignature(platform: PaymentPlatform, secret: string, body: Buffer, header: string, now: number) {
  if (platform === 'btcpay') {
    const [, signature] = /^sha256=([0-9a-f]{64})$/i.exec(header) ?? [];
    return isMac(secret, [body], signature);
  }
  const [, time = '', signature] = /^t=(\d{1,12}), ?v1=([0-9a-f]{64})$/i.exec(header) ?? [];
  return (
    isMac(secret, [Buffer.from(`${time}.`), body], signature) &&
    Math.abs(now / 1000 - Number(time)) <= SIGNATURE_SECONDS
  );
}

function isMac(secret: string, parts: readonly Buffer[], hex: string | undefined): boolean {
  const mac = createHmac('sha256', secret);
  for (const part of parts) mac.update(part);
  return timingSafeEqual(mac.digest(), Buffer.from(hex ?? '0'.repeat(64), 'hex')) && hex !== undefined;
}
