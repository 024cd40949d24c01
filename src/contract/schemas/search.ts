import * as v from 'valibot';
import { moneyLists } from '../constants';
import { matchedFields, SEARCH_MIN } from '../search';
import { boolean, given, id, instant, maybe, number, oneOf, searchText, status, string } from './fields';

export const SearchQuery = v.object({
  tenant_id: given(id),
  q: v.pipe(searchText, v.minLength(SEARCH_MIN, `at least ${SEARCH_MIN} characters`)),
});

/** A player, the field that matched, and its value. */
export const PlayerMatch = v.object({
  id: number,
  tenant_id: number,
  tenant_name: string,
  email: string,
  first_name: maybe(string),
  last_name: maybe(string),
  matched: v.picklist(matchedFields),
  value: string,
});
export type PlayerMatch = v.InferOutput<typeof PlayerMatch>;

/** A payment that was found, with its player. `list` holds it; `method`: the game platform, else how it was paid. */
export const PaymentMatch = v.object({
  ...PlayerMatch.entries,
  method: v.optional(maybe(string)),
  payment: v.object({ id: number, list: oneOf(moneyLists), status, amount: number, initiated_at: instant }),
});
export type PaymentMatch = v.InferOutput<typeof PaymentMatch>;

/** An admin, and the tenant under which the list of admins has them. */
export const AdminMatch = v.object({
  id: number,
  email: string,
  is_active: boolean,
  tenant_id: number,
  tenant_name: string,
});
export type AdminMatch = v.InferOutput<typeof AdminMatch>;

/** The best hits of each kind. Only super admins get tenants and admins. */
export const SearchResults = v.object({
  players: v.array(PlayerMatch),
  payments: v.array(PaymentMatch),
  payouts: v.array(PaymentMatch),
  tenants: v.array(v.object({ id: number, name: string, email: maybe(string) })),
  admins: v.array(AdminMatch),
  affiliates: v.optional(v.array(v.object({ affiliate_id: string, tenant_id: number, tenant_name: string }))),
});
export type SearchResults = v.InferOutput<typeof SearchResults>;
