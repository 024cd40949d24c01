/** The search results as groups of options, parsed from any server's answer. */

import { moneyLists } from '../../../contract/constants';
import { listAddress, playerAddress, tenantAddress, toolAddress } from '../../../contract/routes';
import { type MatchedField, SEARCH_HITS } from '../../../contract/search';
import { toAmount } from '../../api/amount';
import { isObject, type Json, toText } from '../../api/parse';
import { formatPlatform } from '../../ui/formatPlatform';
import { usd } from '../../ui/Money';

/** The screens that the search offers without asking the server: address and name, in the order of the menu. */
export type Screens = readonly (readonly [href: string, name: string])[];

/** A result: the address it opens, or what it does. */
export type Option = {
  /** '' if it lacks what it needs: then it is not shown. */
  key: string;
  title: string;
  name: string;
  /** The field that matched, and the tenant. */
  about: string;
  payment?: { amount: string; status: string; at: string; tenantId: number | undefined };
} & ({ href: string } | { run: () => void });
export interface Group {
  title: string;
  options: Option[];
}

/** The others are shown already. */
const fields: Record<Exclude<MatchedField, 'email' | 'name' | 'amount'>, string> = {
  phone: 'phone',
  payment_reference: 'payment reference',
  payout_address: 'payout address',
  player_id: 'ID',
  payment_id: 'ID',
};
const isKnown = (by: string): by is keyof typeof fields => Object.hasOwn(fields, by);

const getRows = (found: unknown, kind: string): Json[] => {
  const list = isObject(found) ? found[kind] : undefined;
  return Array.isArray(list) ? list.filter(isObject) : [];
};

interface Options {
  words: string;
  /** Shows the tenant. */
  isSuper: boolean;
  /** Links to the player view. */
  hasView: boolean;
}

function toPlayerOption(row: Json, { isSuper, hasView }: Options): Option {
  const email = toText(row.email),
    id = toAmount(row.id),
    by = toText(row.matched);
  const matched = isKnown(by) ? `${fields[by]} ${toText(row.value)}` : '';
  return {
    key: email && `${id}${by}${toText(row.value)}`,
    title: email,
    name: [row.first_name, row.last_name].map(toText).filter(Boolean).join(' '),
    href: playerAddress(email, hasView ? id : null),
    about: [isSuper ? toText(row.tenant_name) : '', matched].filter(Boolean).join(' · '),
  };
}

/** A payment opens the list that holds it, with nothing else in it. */
function toPaymentOption(row: Json, options: Options): Option {
  const player = toPlayerOption(row, options);
  const { payment, method } = row;
  if (!isObject(payment)) return player;
  const [id, list] = [String(toAmount(payment.id) ?? ''), toText(payment.list)];
  if (!moneyLists.some((known) => known === list)) return player;
  const text = row.matched === 'payment_reference' || row.matched === 'payout_address' ? toText(row.value) : id;
  const kind = list.charAt(0).toUpperCase() + list.slice(1, -1) + (method ? `, ${formatPlatform(method)}` : '');
  return {
    ...player,
    key: player.key && `${list}${id}`,
    href: listAddress(list, { text }, options),
    about: player.about ? `${kind} · ${player.about}` : kind,
    payment: {
      amount: usd(payment.amount),
      status: toText(payment.status).toLowerCase(),
      at: toText(payment.initiated_at),
      tenantId: toAmount(row.tenant_id) ?? undefined,
    },
  };
}

function toTenantOption(row: Json): Option {
  const id = String(toAmount(row.id) ?? '');
  return { key: id, href: tenantAddress(id), title: toText(row.name), name: '', about: toText(row.email) };
}

/** An affiliate opens the tab that tracks it. */
function toAffiliateOption(row: Json, { isSuper }: Options): Option {
  const [title, tenantId] = [toText(row.affiliate_id), String(toAmount(row.tenant_id) ?? '')];
  const query = `affiliate-tracking&affiliate=${encodeURIComponent(title)}`;
  return {
    key: title && `${title} ${tenantId}`,
    href: isSuper ? tenantAddress(tenantId, query) : `/?tab=${query}`,
    title,
    name: '',
    about: isSuper ? toText(row.tenant_name) : '',
  };
}

/** An admin opens the list of admins of the tenant; a colleague opens the team. */
function toAdminOption(row: Json, { isSuper }: Options): Option {
  const tenantId = String(toAmount(row.tenant_id) ?? '');
  return {
    key: tenantId && String(toAmount(row.id) ?? ''),
    href: isSuper ? `/admins?tenant=${tenantId}` : toolAddress('Team'),
    title: toText(row.email),
    name: '',
    about: [isSuper && toText(row.tenant_name), row.is_active === false && 'disabled'].filter(Boolean).join(' · '),
  };
}

/** Whether the first of a group is called just so. The whole id of an affiliate may be a common word. */
const isNamed = ({ title, options: [best] }: Group, words: string) =>
  title !== 'Affiliates' && [best?.title, best?.name].some((name) => name?.toLowerCase() === words.toLowerCase());

/** The key of an option that leads to all. */
export const ALL = 'all';
export function buildGroups(found: unknown, options: Options): Group[] {
  const known = (kind: string, toOption: (row: Json, options: Options) => Option) =>
    getRows(found, kind)
      .map((row) => toOption(row, options))
      .filter(({ key }) => key !== '');
  const { words } = options;
  /** Leads on to the list, where there may be more than are found here. */
  const withAll = (found: Option[], title: string, href: string): Option[] =>
    found.length < SEARCH_HITS ? found : [...found, { key: ALL, title, name: '', about: '', href }];
  const payments = known('payments', toPaymentOption),
    sum = words.replace(/[$,\s]/g, '');
  const isPending = payments.length > 0 && getRows(found, 'payments').every(({ matched }) => matched === 'amount');
  const inPurchases = listAddress('purchases', { min: sum, max: sum }, options);
  if (isPending) payments.push({ key: ALL, title: 'All in Purchases', name: '', about: '', href: inPurchases });
  const inRedeems = listAddress('redeems', { text: words }, options);
  return [
    { title: 'Players', options: withAll(known('players', toPlayerOption), 'All in Users', playerAddress(words)) },
    { title: isPending ? 'Payments, pending only' : 'Payments', options: payments },
    { title: 'Payouts', options: withAll(known('payouts', toPaymentOption), 'All in Redeems', inRedeems) },
    { title: 'Tenants', options: known('tenants', toTenantOption) },
    { title: 'Affiliates', options: known('affiliates', toAffiliateOption) },
    { title: 'Admins', options: known('admins', toAdminOption) },
  ]
    .filter(({ options }) => options.length)
    .toSorted((a, b) => Number(isNamed(b, words)) - Number(isNamed(a, words)));
}
