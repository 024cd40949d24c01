/** One right request of every call of the contract, made from its schemas, so that a new call is in no list. */
import * as assert from 'uvu/assert';
import { calls } from '../../src/contract/allCalls';
import type { CallName, CallSpec } from '../../src/contract/calls';
import { chartDays, pageSizes } from '../../src/contract/constants';
import { scopes } from '../../src/contract/integrations';
import { type CallSchemas, schemas } from '../../src/contract/schemas/calls';
import { accepts, entriesOf, type Shape } from '../prove/shapes';
import { pam, people } from '../world';

export const everyCall = Object.entries(calls) as [CallName, CallSpec][];
const here = 'test/server/everyCall.ts';

/** Values by the name of their field, where the first that fits would not get far. */
const likely: Record<string, unknown> = {
  amount: '100',
  by: 'platform',
  code: '00000000',
  net_amount: '90',
  email: 'someone@new.test',
  user_email: pam.email,
  kind: 'players',
  month: '2025-01',
  year: 2025,
  header: 'email',
  rows: 'someone@new.test',
  counts: [{ account_id: 1, counted: '10' }],
  platform: 'yolo',
  platform_name: 'yolo',
  role_id: 2,
  segment: 'tag:vip',
  status: 'failed',
  methods: ['cash'],
  late_minutes: [{ list: 'redeems', late: 3, overdue: 10 }],
  refused_regions: ['US-CA'],
  templates: [{ kind: 'player', label: 'Chat', url: 'https://chat.test/{player_id}' }],
  type: 'payment.failed',
  permissions: ['queue'],
  networks: ['192.0.2.0/24'],
  issuer: 'https://login.test',
  return_to: '/users',
  groups: [{ group: 'cashiers', permissions: ['queue'] }],
  target: 'someone@new.test',
  payment_platform: 'apex',
};
const pool = [
  ...[2, '5', 'someone@new.test', 'some words', '2026-01-01', '2026-01-31T10:00:00Z', 'https://x.test/', true, ['vip']],
  ...[[...scopes], 'desc', 'add', 'apex', 'a'.repeat(64), 'credit', 'USD', 'tenant', 'updated_at'],
  ...[pageSizes[0], chartDays[0]],
];
/** The values of a list of choices, however deep it is in the shape. */
function choices(shape: Shape): unknown[] {
  const of = shape as { options?: unknown[]; wrapped?: Shape; type: string };
  if (of.wrapped) return choices(of.wrapped);
  return (of.options ?? []).flatMap((option) =>
    typeof option === 'object' && option !== null ? choices(option as Shape) : [option],
  );
}
/** A value that a field takes. */
export function sample(name: CallName, field: string, shape: Shape): unknown {
  const found = [likely[field], ...pool, ...choices(shape)].find(
    (value) => value !== undefined && accepts(shape, value),
  );
  assert.ok(found !== undefined, `${name}: say in 'likely' of ${here} which value '${field}' takes`);
  return found;
}

/** Another player of Acme, where one is planted. */
export const twin = 8_077_077;
const apex = { api_key: 'k', secret_key: 's', merchant_id: 'm' };
/** What a call cannot do without although its schema lets it be left out. */
export const needed: Partial<Record<CallName, Record<string, unknown>>> = {
  adjustBalances: { credit: '1' },
  pushTopUp: { email: pam.email },
  pushDeposit: { email: pam.email },
  pushRedeem: { email: pam.email },
  pushReturn: { email: pam.email },
  createPaymentMethod: apex,
  updatePaymentMethod: apex,
  receiveWebhook: { email: pam.email },
  createValueAccount: { kind: 'cash' },
  updateValueAccount: { kind: 'cash' },
  enterAccountMove: { entry: 'corrected', to_id: 1, reason: 'Counted' },
  createPlayerCredential: { platform_name: 'vblink', replaces: true },
  pushLogin: { email: pam.email, platform: 'vblink' },
  pushEligibility: { email: pam.email },
  pushProtection: { email: pam.email },
  linkPlayers: { player_id: twin },
  dismissPair: { player_id: twin },
  beginSso: { email: 'someone@new.test' },
  claimRow: { id: pam.purchase },
  pushClaim: { id: pam.purchase },
  releaseWork: { note: 'some words' },
};

/** The schemas of a call. Of the two events that processors sign it is the first, which Apex sends. */
export function schemasOf(name: CallName): CallSchemas {
  const found: CallSchemas | undefined = schemas[name];
  assert.ok(found, `${name} has no schemas: add it to src/contract/schemas/calls.ts`);
  const options = (found.body as { options?: Shape[] } | undefined)?.options;
  return name === 'receiveWebhook' ? { ...found, body: options?.[0] as Shape } : found;
}
export const takes = (shape: Shape | undefined, field: string): boolean =>
  entriesOf(shape).some(([name]) => name === field);
const required = (name: CallName, shape: Shape | undefined): Record<string, unknown> =>
  Object.fromEntries(
    entriesOf(shape)
      .filter(([, entry]) => entry.type !== 'optional')
      .map(([field, entry]) => [field, sample(name, field, entry)]),
  );
export const goodBody = (name: CallName) => ({ ...required(name, schemasOf(name).body), ...needed[name] });
export const goodQuery = (name: CallName) => required(name, schemasOf(name).query);

export type Ids = Readonly<Record<string, number | string>>;
/** The ids of Acme's things by the word that stands before them in a path. What is not named has the id 1. */
export const acmeIds: Ids = {
  tenants: 2,
  'payment-methods': 2,
  platforms: 3,
  'my-platforms': 3,
  'admin-users': people.ann.id,
  team: people.ann.id,
  user: pam.id,
  users: pam.id,
  purchases: pam.purchase,
  redeems: pam.redeem,
  transactions: pam.redeem,
  tenant: 2,
  claims: pam.redeem,
};
/** The path with ids put in; `other` is for words without one. */
export const pathOf = (name: CallName, ids: Ids = acmeIds, other: number | string = 1): string =>
  calls[name].path
    .replace(/([\w-]+)\/\{(\w+)\}/g, (_, word: string) => `${word}/${ids[word] ?? other}`)
    .replace('{platform}', 'apex');
