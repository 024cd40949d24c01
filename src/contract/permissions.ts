/** What admins of a tenant may do (docs/permissions.md, "Permissions"). */
import type { Scope } from './integrations';

/**
 * What a tenant's admin may do besides looking. `support`: players, notes, tags, platform logins, breaks and limits,
 * eligibility. `queue`: settle deposits and purchases. `payouts`: settle redeems, make them by hand, hold payouts.
 * `money`: edit balances. `export`: CSV files. `import`: rows from files. `settings`: the tenant's platforms and API
 * keys. `team`: the accounts of colleagues. A super admin may do all of it.
 */
export const permissions = ['support', 'queue', 'payouts', 'money', 'export', 'import', 'settings', 'team'] as const;
export type Permission = (typeof permissions)[number];

/** What two people must agree on: both need it. */
export const neededFor = {
  redeem: 'payouts',
  return: 'queue',
  balances: 'money',
  limits: 'team',
  account: 'money',
} as const;

/** As they are named in the app and in a refusal. */
export const permissionLabels: Record<Permission, string> = {
  support: 'Support',
  queue: 'Queue',
  payouts: 'Payouts',
  money: 'Money',
  export: 'Export',
  import: 'Import',
  settings: 'Settings',
  team: 'Team',
};

/** What an admin may do for whom nobody chose anything: all that an admin could before there were permissions. */
export const usualPermissions: readonly Permission[] = permissions.filter((permission) => permission !== 'team');

/** Sets of permissions that fit a job. */
export const permissionPresets: Record<string, readonly Permission[]> = {
  Support: ['support'],
  Cashier: ['support', 'queue'],
  Finance: ['queue', 'payouts', 'money', 'export'],
  Manager: permissions,
};

/** Whoever makes an API key needs the permissions for what the key does: with it they could do the same. */
export const permissionsOfScope: Record<Scope, readonly Permission[]> = {
  'players:write': ['support'],
  'players:read': ['export'],
  'transactions:write': ['queue', 'payouts'],
  'transactions:settle': ['queue', 'payouts'],
  'events:read': ['export'],
  work: ['queue', 'support'],
};

/** Whether all of some permissions are among others. */
export const includesAll = (held: readonly Permission[], wanted: readonly Permission[]): boolean =>
  wanted.every((permission) => held.includes(permission));

/** The `code` of a 403 for a missing permission. */
export const MISSING_PERMISSION = 'missing_permission';
