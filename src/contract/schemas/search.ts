import * as v from 'valibot';
import { SEARCH_MAX } from '../constants';
import { FIND_MIN, foundBy } from '../search';
import { given, id, maybe, number, string, text } from './fields';

export const FindQuery = v.object({
  tenant_id: given(id),
  q: v.pipe(text(SEARCH_MAX), v.minLength(FIND_MIN, `at least ${FIND_MIN} characters`)),
});
export type FindQuery = v.InferOutput<typeof FindQuery>;

/** A player, the field that matched, and its value. */
export const FoundPlayer = v.object({
  id: number,
  tenant_id: number,
  tenant_name: string,
  email: string,
  first_name: maybe(string),
  last_name: maybe(string),
  matched: v.picklist(foundBy),
  value: string,
});
export type FoundPlayer = v.InferOutput<typeof FoundPlayer>;

/** The best hits of each kind. Only super admins get tenants. */
export const Found = v.object({
  players: v.array(FoundPlayer),
  payments: v.array(FoundPlayer),
  payouts: v.array(FoundPlayer),
  tenants: v.array(v.object({ id: number, name: string, email: maybe(string) })),
});
export type Found = v.InferOutput<typeof Found>;
