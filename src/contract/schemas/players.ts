import * as v from 'valibot';
import { balanceOperations, LIST_MAX, PAGE_SIZE, pageSizes, playerSorts } from '../constants';
import { parseSegment, SEGMENT_MAX } from '../segment';
import {
  blankToNull,
  boolean,
  email,
  filled,
  given,
  givenReason,
  id,
  instant,
  limit,
  maybe,
  newEmail,
  number,
  oneOf,
  optionalElsewhere,
  plainText,
  reasonInBody,
  reference,
  searchText,
  secret,
  sentPositive,
  sortOrder,
  status,
  string,
  text,
  trueOrFalse,
  visible,
} from './fields';

export const balances = { credit_balance: number, bonus_balance: number, vip_balance: number, loyalty_balance: number };
/** A row of the Users list. The balances exclude what is held for pending redeems. */
export const Player = optionalElsewhere(['is_active'], {
  id: number,
  email: string,
  first_name: maybe(string),
  last_name: maybe(string),
  phone_number: maybe(string),
  referral_id: maybe(string),
  affiliate_id: maybe(string),
  /** The player's successful purchases minus successful redeems. */
  individual_ggr: number,
  ...balances,
  tenant_id: number,
  /** Optional on other servers. */
  is_active: boolean,
});
export type Player = v.InferOutput<typeof Player>;

export const PlayerPage = v.object({
  users: v.array(Player),
  pagination: v.object({ total_users: number, total_pages: number, has_next: boolean, has_previous: boolean }),
});
export type PlayerPage = v.InferOutput<typeof PlayerPage>;

/** The app keeps the page size as any number; the server takes only these. */
const pageSize: v.GenericSchema<number | string, number> = v.pipe(
  id,
  v.picklist(pageSizes, `expected one of ${pageSizes.join(', ')}, default ${PAGE_SIZE}`),
);
/** A selection of players, by its own words (segment.ts). */
export const segment = given(
  v.pipe(
    text(SEGMENT_MAX),
    v.check(
      (words) => parseSegment(words).problem === undefined,
      ({ input }) => parseSegment(String(input)).problem ?? '',
    ),
  ),
);
export const PlayerQuery = v.object({
  tenant_id: given(id),
  search: v.optional(searchText),
  /** Needs the feature `player_filters`. */
  segment,
  sort_by: given(oneOf(playerSorts)),
  sort_order: given(sortOrder),
  page: limit(1_000_000),
  page_size: given(pageSize),
});
export type PlayerQuery = v.InferOutput<typeof PlayerQuery>;

/** Blank text clears a field. */
export const profile = {
  first_name: blankToNull(text(100)),
  last_name: blankToNull(text(100)),
  phone_number: blankToNull(text(40)),
  referral_id: blankToNull(v.pipe(text(100), visible)),
  affiliate_id: blankToNull(v.pipe(text(100), visible)),
  is_active: v.optional(trueOrFalse),
};
const newPassword = v.pipe(plainText, v.maxLength(1000));
/** Fields that are left out of an edit, including the e-mail, stay unchanged. */
export const PlayerForm = v.object({ email: v.optional(email), password: v.optional(newPassword), ...profile });
export type PlayerForm = v.InferOutput<typeof PlayerForm>;

/** Whether a player is active; the rest of the profile stays as it is. */
export const ActiveForm = v.object({ is_active: trueOrFalse });

/** Without `tenant_id`, in the caller's own tenant; a super admin names it. */
export const NewPlayer = v.object({ email: newEmail, password: secret(1), tenant_id: v.optional(id), ...profile });
export type NewPlayer = v.InferOutput<typeof NewPlayer>;

/** A part of the e-mail. */
export const PlayerSearch = v.object({ email: searchText });

/** One e-mail may belong to players of several tenants, so `id` and `tenant_id` tell them apart. */
export const PlayerHit = optionalElsewhere(['id', 'tenant_id'], {
  id: number,
  tenant_id: number,
  email: string,
  first_name: maybe(string),
  last_name: maybe(string),
  credit_balance: number,
});
export type PlayerHit = v.InferOutput<typeof PlayerHit>;

const operation = v.optional(v.picklist(balanceOperations, 'expected add or remove'));
const change = v.optional(sentPositive);
/**
 * Amounts to add to or remove from each balance. Either all changes are made or none. An amount without its operation is
 * added; an operation without its amount changes nothing.
 */
export const BalanceForm = v.object({
  credit: change,
  credit_op: operation,
  bonus: change,
  bonus_op: operation,
  vip: change,
  vip_op: operation,
  loyalty: change,
  loyalty_op: operation,
  ...reasonInBody,
});
export type BalanceForm = v.InferOutput<typeof BalanceForm>;
/** The player afterwards. */
export const BalanceAnswer = optionalElsewhere(['is_active'], {
  ...Player.entries,
  /** A second person must approve the edit; no balance has changed yet. Needs the feature `approvals`. */
  waits: v.optional(v.boolean()),
});

/** A player's login at a game platform. The password is masked. */
export const PlayerCredential = v.object({
  id: number,
  platform_name: string,
  platform_username: string,
  platform_password: string,
  is_active: boolean,
  /** Where the tenant's staff work at this platform. Needs the feature `player_logins`. */
  panel_url: v.optional(maybe(string)),
});
export type PlayerCredential = v.InferOutput<typeof PlayerCredential>;

export const PlayerCredentialForm = v.object({
  platform_username: v.optional(reference(200)),
  platform_password: v.optional(newPassword),
});
export type PlayerCredentialForm = v.InferOutput<typeof PlayerCredentialForm>;

/** A player has one active login per platform. `replaces` switches the former one off; without it that is a 409. */
const replaces = { replaces: v.optional(trueOrFalse) };
export const NewPlayerCredential = v.object({
  platform_name: filled(100),
  platform_username: reference(200),
  platform_password: v.optional(newPassword),
  ...replaces,
});

export const CredentialSwitch = v.object({ is_active: trueOrFalse, ...replaces });

/** The only answer that contains a player's password. */
export const CopiedPassword = v.object({ platform_password: string });

/** What staff look up before they decide a row of a game platform. Needs the feature `player_logins`. */
export const RowNeeds = v.object({
  /** The player's active login at the platform. */
  login: maybe(PlayerCredential),
  panel_url: maybe(string),
  ...balances,
  held_balance: number,
  /** The last of the player, newest first. */
  movements: v.array(
    v.object({
      id: number,
      created_at: instant,
      transaction_type: string,
      from_account: string,
      to_account: string,
      amount: number,
    }),
  ),
});
export type RowNeeds = v.InferOutput<typeof RowNeeds>;

export const HistoryQuery = v.object({ limit: limit(LIST_MAX) });

/** A line of a player's history. WITHDRAWAL is a redeem. ADJUSTMENT is made by hand, negative when removed. */
export const HistoryLine = optionalElsewhere(['status', 'reason', 'note'], {
  id: number,
  initiated_at: instant,
  transaction_type: string,
  amount: number,
  payment_method: maybe(string),
  description: maybe(string),
  payment_reference: maybe(string),
  status,
  /** Why the line was made by hand, or why its status was decided. */
  ...givenReason,
});
export type HistoryLine = v.InferOutput<typeof HistoryLine>;
