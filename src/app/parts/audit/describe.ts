/** Entries of the audit log in words. Any server's calls, kinds and fields are taken, also those added later. */
import type { AuditEntry } from '../../../contract/entities';
import { toAmount } from '../../api/amount';
import { formatPlatform } from '../../ui/formatPlatform';
import { usd } from '../../ui/Money';

const capitalize = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** The verbs of calls in the past tense, where it is not that of a regular verb or another word says it better. */
const verbs: Record<string, string> = {
  activate: 'Switched on',
  adjust: 'Changed',
  begin: 'Started',
  choose: 'Changed',
  copy: 'Copied',
  deactivate: 'Switched off',
  drop: 'Released',
  get: 'Exported', // the one read that is logged: personal data
  hold: 'Changed the hold on',
  push: 'Reported',
  read: 'Marked',
  resend: 'Repeated',
  reset: 'Reset',
  reveal: 'Showed',
  set: 'Set',
  submit: 'Created',
  toggle: 'Switched',
  update: 'Changed',
  verify: 'Asked to verify',
};
const toPast = (verb: string) => verbs[verb] ?? (verb && capitalize(verb) + (verb.endsWith('e') ? 'd' : 'ed'));

/** What somebody did: changeRedeemStatus is 'Changed redeem status'. */
export function describeCall({ call, after }: Pick<AuditEntry, 'call' | 'after'>): string {
  if (call === 'logout') return 'Signed out';
  if (/^(login|(begin|finish)(Passkey|Sso)$)/.test(call))
    return after?.['signed_in'] === false
      ? 'Failed to sign in'
      : call === 'loginToTenant'
        ? 'Signed in to tenant'
        : 'Signed in';
  const [verb = '', ...rest] = call.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).split(/[ -]/);
  return [toPast(verb), ...rest].join(' ').replace(/\bapi\b/, 'API') || '-';
}

const isMoney = (name: string): boolean => /(^|_)(balance|amount|total|sum)$/.test(name);

function describeValue(name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map((one) => describeValue('', one)).join(', ') || 'none';
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([key, of]) => `${describeField(key).toLowerCase()} ${describeValue(key, of)}`)
      .join(', ');
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(String(value))) return `${String(value).slice(0, 16).replace('T', ' ')} UTC`;
  if (/^[\da-f]{64}$/.test(String(value))) return `${String(value).slice(0, 12)}…`;
  if (name === 'platform' || name.startsWith('platform_name')) return formatPlatform(value);
  if (/(^|_)status$/.test(name)) return capitalize(String(value));
  return isMoney(name) && toAmount(value) !== null ? usd(value) : String(value);
}

/** first_name is 'First name'. */
const describeField = (name: string): string =>
  capitalize(name.replaceAll('_', ' ')).replace(/\b(api|id|ip|url|sha256)\b/gi, (word) => word.toUpperCase());

/** The sign-in itself is said by the call; most are without a second factor. */
const isSaid = (name: string, value: unknown) => name === 'signed_in' || (name === 'factor' && value === 'none');

/** The changed fields with the old and the new value; for a record that was created or deleted, the only one. */
export function describeChanges(of: Pick<AuditEntry, 'before' | 'after'> & { kind?: unknown }): [string, string][] {
  const { kind, before, after } = of;
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  // Of something new, not what it has not, nor that it waits.
  const isWaiting = (name: string) => name === 'status' && kind !== 'export' && after?.[name] === 'pending';
  const isNothing = (value: unknown) => value === null || value === false || String(value) === '';
  return names
    .filter((name) => !isSaid(name, after?.[name]) && (before || !(isNothing(after?.[name]) || isWaiting(name))))
    .map((name) => {
      const [old, now] = [before, after].map((fields) => describeValue(name, fields?.[name]));
      const words = before && after ? `${old} → ${now}` : after ? now : `${old} (deleted)`;
      return [describeField(name), words ?? ''];
    });
}

/** 'Redeem 12'; a sign-in has no object of its own. */
export const describeObject = ({ kind, object_id }: Pick<AuditEntry, 'kind' | 'object_id'>): string =>
  kind === 'sign-in' && object_id !== null
    ? ''
    : [describeField(String(kind ?? '')), object_id].filter(Boolean).join(' ');
