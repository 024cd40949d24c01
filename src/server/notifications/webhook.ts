/** What a webhook of ours is sent, and how it is signed (docs/integrations.md, "Events"). */
import { createHmac, randomBytes } from 'node:crypto';
import { VERSION } from '../../contract/version';

/** Standard Webhooks 1.0.0: a secret begins so, and the rest is base64. */
const PREFIX = 'whsec_';
export const newWebhookSecret = (): string => PREFIX + randomBytes(32).toString('base64');

export const agent = { 'User-Agent': `gaming-back-office/${VERSION}` };

interface Message {
  /** The same at each try. */
  id: string;
  body: string;
}

/** A signature by each key; an older one makes `X-Signature`: seconds, and hex HMAC-SHA-256 over `time.body`. */
export function signMessage({ id, body }: Message, keys: readonly string[], now: number): Record<string, string> {
  const time = Math.floor(now / 1000);
  const mac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text);
  const signatures = keys
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => mac(Buffer.from(key.slice(PREFIX.length), 'base64'), `${id}.${time}.${body}`).digest('base64'));
  const old = keys.find((key) => !key.startsWith(PREFIX));
  return {
    ...agent,
    'webhook-id': id,
    'webhook-timestamp': String(time),
    ...(signatures.length > 0 && { 'webhook-signature': signatures.map((one) => `v1,${one}`).join(' ') }),
    ...(old !== undefined && {
      'X-Delivery-Id': id,
      'X-Signature': `t=${time},v1=${mac(old, `${time}.${body}`).digest('hex')}`,
    }),
  };
}

/** An event as it is sent and as it is read again. */
export interface KeptEvent {
  id: number;
  kind: string;
  data: Record<string, unknown>;
  at: Date;
}

/** Where a payout goes is told only to whoever may know it. */
export const toMessage = ({ kind, data, at }: Omit<KeptEvent, 'id'>, withAddresses: boolean) => {
  const { payout_address, ...rest } = data;
  return {
    type: kind,
    timestamp: at.toISOString(),
    data: withAddresses && payout_address !== undefined ? { ...rest, payout_address } : rest,
  };
};
