import { hash } from 'node:crypto';
import { parse } from 'hono/utils/cookie';
import type { CallName, CallSpec } from '../../contract/calls';
import { MISSING_PERMISSION, type Permission, permissionLabels } from '../../contract/permissions';
import { mayEnter } from '../../contract/rules';
import { factsOf } from '../core/callFacts';
import type { Exchange, Services } from '../core/context';
import { Problem } from '../core/problem';
import type { Rows, Sql } from '../db/open';
import { passGate } from './accountGate';
import { isAllowed, notFromHere } from './allowedNetworks';
import { notAKey, requireKey } from './apiKeys';
import { anonymous, type Caller } from './caller';

/** Finds out who makes a call, and refuses missing or wrong credentials. */
export async function authenticate(
  sql: Sql,
  { sessions, rateLimits }: Services,
  name: CallName,
  call: CallSpec,
  exchange: Exchange,
): Promise<Caller> {
  const { token } = exchange;
  if (call.who === 'anyone') return anonymous;
  if (call.who === 'key') return requireKey(sql, rateLimits, call, token);
  if (call.who === 'checkout') {
    const cookie = findCheckoutCookie(exchange);
    const caller = cookie ? await sessions.findCheckoutCaller(sql, cookie) : null;
    if (!caller) throw notAtCheckout();
    return refuseFromElsewhere(name, caller, exchange);
  }
  const caller = token ? await sessions.findCaller(sql, token, { isActivity: !factsOf(name).polled }) : null;
  if (!caller) throw notSignedIn();
  return refuseFromElsewhere(name, caller, exchange);
}

/** A session that was carried elsewhere can only be ended. */
function refuseFromElsewhere(name: CallName, caller: Caller, { address }: Exchange): Caller {
  if (name !== 'logout' && !isAllowed(caller.networks ?? [], address)) throw notFromHere();
  return caller;
}

/**
 * Again, in the transaction of a write: a call can wait for its turn after it was let in. Whoever disables the account,
 * takes a permission or ends the session or key waits for the write, or was first, and the write is refused. So nothing
 * that was revoked has an effect afterwards. This is what the BEGIN of the write says too, for `admitAgain`. An API key
 * writes with the account of whoever made it.
 */
export function lookUpAgain(
  { sessions }: Services,
  name: CallName,
  call: CallSpec,
  exchange: Exchange,
  caller: Caller,
): string {
  if (caller === anonymous) return '';
  const kind = caller.key ? 'key' : call.who === 'checkout' ? 'checkout' : 'session';
  const secret = kind === 'checkout' ? findCheckoutCookie(exchange) : exchange.token;
  const gate = passGate(caller.key?.admin_id ?? caller.admin_id, { isAlone: factsOf(name).changesOwnAccount ?? false });
  return `${gate}; select find_permissions('${kind}', decode('${hash('sha256', secret ?? '')}', 'hex'),
    ${sessions.idleSeconds}) as permissions`;
}

/** Refuses who may no longer make the call. From here on the caller has the permissions of now. */
export function admitAgain(name: CallName, call: CallSpec, caller: Caller, [found]: Rows): void {
  if (caller === anonymous) return;
  if (!found?.['permissions']) throw caller.key ? notAKey() : call.who === 'checkout' ? notAtCheckout() : notSignedIn();
  if (!caller.key && !caller.role.is_super_admin) caller.permissions = found['permissions'];
  authorize(name, call, caller);
}

/** The checkout call has no Authorization header; this cookie identifies its sender, for that call alone. */
export const checkoutCookie = (value: string, { isSecure, maxAge }: { isSecure: boolean; maxAge?: number }): string =>
  [
    `${isSecure ? '__Secure-' : ''}checkout=${value}`,
    'HttpOnly',
    'SameSite=Strict',
    'Path=/api/v1/checkout',
    ...(isSecure ? ['Secure'] : []),
    ...(maxAge === undefined ? [] : [`Max-Age=${maxAge}`]),
  ].join('; ');

/** Over TLS only the prefixed cookie counts: anybody on the network could have set the other one. */
function findCheckoutCookie({ header, isSecure }: Exchange): string | undefined {
  const name = isSecure ? '__Secure-checkout' : 'checkout';
  return parse(header('cookie') ?? '', name)[name];
}

const notSignedIn = () => new Problem(401, 'Not signed in');
/** Never 401, which would end the session in the browser. */
const notAtCheckout = () => new Problem(403, 'Sign in to redeem');

/** Refuses who may not make the call. A role that may not enter signs in, as the contract says, and can log out. */
export function authorize(name: CallName, { who, needs }: CallSpec, caller: Caller): void {
  if (who === 'anyone' || who === 'key' || name === 'logout') return;
  if (who === 'session') {
    if (!mayEnter(caller)) throw notForRole();
    return;
  }
  if (who === 'checkout' && !mayEnter(caller)) throw notAtCheckout();
  // Until a required second factor is set up, a session can only make calls about its own account.
  if (caller.must_set_up) throw new Problem(403, 'Set up two-factor sign-in first', undefined, 'second_factor_setup');
  const isAllowed = caller.role.is_super_admin || (who !== 'super' && mayEnter(caller));
  if (!isAllowed) throw notForRole();
  if (needs) requirePermissions(caller, [needs]);
}

const lacks = (these: readonly Permission[], word: 'and' | 'or') => {
  const names = these.map((permission) => permissionLabels[permission]).join(` ${word} `);
  return new Problem(403, `You need the permission ${names} for this`, undefined, MISSING_PERMISSION);
};

/** Refuses a caller who lacks one of these permissions, and names it. */
export function requirePermissions(caller: Caller, needed: readonly Permission[]): void {
  const missing = needed.filter((permission) => !caller.permissions.includes(permission));
  if (missing.length) throw lacks(missing, 'and');
}

/** Refuses a caller who has none of these permissions, and names them. */
export function requireOneOf(caller: Caller, these: readonly Permission[]): void {
  if (!these.some((permission) => caller.permissions.includes(permission))) throw lacks(these, 'or');
}

const notForRole = () => new Problem(403, 'Not allowed for your role');
