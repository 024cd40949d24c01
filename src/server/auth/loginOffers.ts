/** What the login that the server itself sends offers besides e-mail and password. */
import { isIP } from 'node:net';
import type { Services } from '../core/context';
import type { Sql } from '../db/open';
import { isOnAnywhere } from './mailLinks';
import type { RelyingParty } from './passkeys';

/** Browsers make passkeys for names alone, and only over TLS or on the own machine. */
export function toRelyingParty(appUrl: string | undefined): RelyingParty | undefined {
  const { protocol, hostname, origin } = new URL(appUrl ?? 'http://none.invalid');
  const isSecure = protocol === 'https:' || /(^|\.)localhost$/.test(hostname);
  return isSecure && !isIP(hostname.replace(/[[\]]/g, '')) ? { id: hostname, origin } : undefined;
}

/**
 * Whether something is on, or was so many milliseconds ago. No page waits for the database; while that cannot answer,
 * the login is the plain one.
 */
async function watch(read: () => Promise<boolean>, knownMs: number, now = Date.now): Promise<() => boolean> {
  let isOn = false,
    askedAt = 0;
  const ask = async () => {
    askedAt = now();
    isOn = await read().catch(() => false);
  };
  await ask();
  return () => {
    if (now() - askedAt >= knownMs) void ask();
    return isOn;
  };
}
const never = () => false;

/** A link by e-mail and single sign-on while some tenant has it on, a passkey while somebody has one. */
export async function watchLogin(
  sql: Sql,
  { outgoing, passkeys }: Services,
  now?: () => number,
): Promise<Record<'offersLinks' | 'offersPasskeys' | 'offersSso', (path?: string) => boolean>> {
  const hasPasskey = async () => (await sql`select id from passkeys limit 1`).length > 0;
  const hasSso = async () => (await sql`select tenant_id from identity_providers where is_active limit 1`).length > 0;
  const isSsoOn = outgoing?.appUrl ? await watch(hasSso, 60_000, now) : undefined;
  return {
    offersLinks: outgoing?.hasLinks ? await watch(() => isOnAnywhere(sql), 60_000, now) : never,
    offersPasskeys: passkeys ? await watch(hasPasskey, 10_000, now) : never,
    offersSso: (path = '') => isSsoOn?.() || (isSsoOn !== undefined && /\/sso\/\d+$/.test(path)), // there, and back
  };
}
