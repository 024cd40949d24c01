/** Entries of the audit log in words. Any server's calls, kinds and fields are taken, also those added later. */
import type { AuditEntry } from '../../../contract/entities';
import { toAmount } from '../../api/amount';
import { usd } from '../../ui/Money';

const capitalize = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** What the calls are named after, in the past tense. */
const verbs: Record<string, string> = {
  activate: 'Switched on',
  add: 'Added',
  adjust: 'Changed',
  approve: 'Approved',
  ask: 'Asked',
  assign: 'Assigned',
  begin: 'Started',
  change: 'Changed',
  choose: 'Changed',
  claim: 'Claimed',
  close: 'Closed',
  confirm: 'Confirmed',
  copy: 'Copied',
  create: 'Created',
  deactivate: 'Switched off',
  delete: 'Deleted',
  disable: 'Disabled',
  dismiss: 'Dismissed',
  drop: 'Released',
  end: 'Ended',
  enter: 'Entered',
  export: 'Exported',
  get: 'Exported', // the one read that is logged: personal data
  hold: 'Changed the hold on',
  import: 'Imported',
  invite: 'Invited',
  link: 'Linked',
  mute: 'Muted',
  open: 'Opened',
  push: 'Reported',
  read: 'Marked',
  receive: 'Received',
  record: 'Recorded',
  release: 'Released',
  remove: 'Removed',
  renew: 'Renewed',
  report: 'Reported',
  resend: 'Repeated',
  reset: 'Reset',
  reveal: 'Showed',
  revoke: 'Revoked',
  save: 'Saved',
  set: 'Set',
  submit: 'Created',
  switch: 'Switched',
  test: 'Tested',
  toggle: 'Switched',
  turn: 'Turned',
  unassign: 'Unassigned',
  unlink: 'Unlinked',
  update: 'Changed',
  verify: 'Asked to verify',
};

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
  return [verbs[verb] ?? capitalize(verb), ...rest].join(' ') || '-';
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
  return isMoney(name) && toAmount(value) !== null ? usd(value) : String(value);
}

/** first_name is 'First name'. */
const describeField = (name: string): string =>
  capitalize(name.replaceAll('_', ' ')).replace(/\b(id|ip|url|sha256)\b/gi, (word) => word.toUpperCase());

/** The sign-in itself is said by the call. */
const isSaid = (name: string) => name === 'signed_in';

/** The changed fields with the old and the new value; for a record that was created or deleted, the only one. */
export function describeChanges({
  before,
  after,
}: Pick<AuditEntry, 'before' | 'after'>): [name: string, words: string][] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names
    .filter((name) => !isSaid(name))
    .map((name) => {
      const [old, now] = [before, after].map((fields) => describeValue(name, fields?.[name]));
      const words = before && after ? `${old} → ${now}` : after ? now : `${old} (deleted)`;
      return [describeField(name), words ?? ''];
    });
}

/** 'Redeem 12'; a sign-in has no object of its own. */
export const describeObject = ({ kind, object_id }: Pick<AuditEntry, 'kind' | 'object_id'>): string =>
  kind === 'sign-in' && object_id !== null ? '' : [capitalize(String(kind ?? '')), object_id].filter(Boolean).join(' ');
