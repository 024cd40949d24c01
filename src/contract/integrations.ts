/** Limits of the integrations (docs/integrations.md, "Integrations"). */

export const scopes = [
  'players:write',
  'players:read',
  'transactions:write',
  'transactions:settle',
  'events:read',
  'work',
] as const;
/** What an API key may do. `transactions:write` and `:settle` may read too; `work`: what waits at game platforms. */
export type Scope = (typeof scopes)[number];
/** Every API key starts with this. */
export const KEY_PREFIX = 'gbk_';
export const KEY_NAME_MAX = 100;
/** The active keys that a tenant may have. A key without a last day works for a year. */
export const KEYS_MAX = 20;
/** How long the answer to an `Idempotency-Key` is kept, at least. */
export const IDEMPOTENCY_HOURS = 24;
export const IDEMPOTENCY_KEY_MAX = 255;
export const REFERENCE_MAX = 200;
/** How far the timestamp of a signature may differ from the server's clock, in seconds. */
export const SIGNATURE_SECONDS = 300;
/** How many of the latest deliveries are shown. */
export const DELIVERIES_SHOWN = 20;
export const DELIVERY_DAYS = 90;
