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

const KNOWN_MS = 10_000;

/**
 * The marks of the login at a path, a few seconds old: mail links and single sign-on if a tenant has them on, passkeys
 * if somebody has one. No page waits for the database: without an answer the login is plain.
 */
export async function watchLogin(sql: Sql, { outgoing, passkeys }: Services, now = Date.now) {
  const hasPasskey = async () => sql`select id from passkeys limit 1`.hasRow();
  const hasProvider = async () => sql`select tenant_id from identity_providers where is_active limit 1`.hasRow();
  let found: readonly boolean[] = [],
    askedAt = 0;
  const ask = async () => {
    askedAt = now();
    found = await Promise.all([isOnAnywhere(sql), hasPasskey(), hasProvider()]).catch(() => []);
  };
  await ask();
  return (path = ''): string[] => {
    if (now() - askedAt >= KNOWN_MS) void ask();
    const [areLinksOn, isPasskeyThere, isSsoOn] = found;
    return [
      ...(outgoing?.hasLinks && areLinksOn ? ['data-mail'] : []),
      ...(passkeys && isPasskeyThere ? ['data-passkeys'] : []),
      ...(outgoing?.appUrl && (isSsoOn || /\/sso\/\d+$/.test(path)) ? ['data-sso'] : []), // there, and back
    ];
  };
}
