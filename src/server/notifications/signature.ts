/** How a webhook of ours is signed: like the events that payment processors send to us (docs/integrations.md). */
import { createHmac } from 'node:crypto';

/** The value of `X-Signature`: the time in seconds, and HMAC-SHA-256 over `time.body` as hexadecimal digits. */
export function sign(secret: string, body: string, now: number): string {
  const time = Math.floor(now / 1000);
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`;
}
