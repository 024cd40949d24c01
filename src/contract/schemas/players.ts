import * as v from 'valibot';
import { balanceOperations, LIST_MAX, PAGE_SIZE, pageSizes, playerSorts } from '../constants';
import { parseSegment, SEGMENT_MAX } from '../segment';
import * as f from './fields';

/** What is known of a player besides the e-mail. */
export const person = {
  first_name: f.maybe(f.string),
  last_name: f.maybe(f.string),
  phone_number: f.maybe(f.string),
  referral_id: f.maybe(f.string),
  affiliate_id: f.maybe(f.string),
};
export const balances = {
  credit_balance: f.number,
  bonus_balance: f.number,
  vip_balance: f.number,
  loyalty_balance: f.number,
};
/** A row of the Users list. The balances exclude what is held for pending redeems. */
export const Player = f.optionalElsewhere(['is_active'], {
  id: f.number,
  email: f.string,
  ...person,
  /** The player's successful purchases minus successful redeems. */
  individual_ggr: f.number,
  ...balances,
  tenant_id: f.number,
  /** Optional on other servers. */
  is_active: f.boolean,
});
export type Player = v.InferOutput<typeof Player>;

export const PlayerPage = v.object({
  users: v.array(Player),
  pagination: v.object({ total_users: f.number, total_pages: f.number, has_next: f.boolean, has_previous: f.boolean }),
});
export type PlayerPage = v.InferOutput<typeof PlayerPage>;

/** The app keeps the page size as any number; the server takes only these. */
const pageSize: v.GenericSchema<number | string, number> = v.pipe(
  f.id,
  v.picklist(pageSizes, `expected one of ${pageSizes.join(', ')}, default ${PAGE_SIZE}`),
);
/** A selection of players, by its own words (segment.ts). */
export const segment = f.given(
  v.pipe(
    f.text(SEGMENT_MAX),
    v.check(
      (words) => parseSegment(words).problem === undefined,
      ({ input }) => parseSegment(String(input)).problem ?? '',
    ),
  ),
);
export const PlayerQuery = v.object({
  tenant_id: f.given(f.id),
  search: v.optional(f.searchText),
  /** Needs the feature `player_filters`. */
  segment,
  sort_by: f.given(f.oneOf(playerSorts)),
  sort_order: f.given(f.sortOrder),
  page: f.limit(1_000_000),
  page_size: f.given(pageSize),
});
export type PlayerQuery = v.InferOutput<typeof PlayerQuery>;

/** Blank text clears a field. */
export const profile = {
  first_name: f.blankToNull(f.text(100)),
  last_name: f.blankToNull(f.text(100)),
  phone_number: f.blankToNull(f.text(40)),
  referral_id: f.blankToNull(v.pipe(f.text(100), f.visible)),
  affiliate_id: f.blankToNull(v.pipe(f.text(100), f.visible)),
  is_active: v.optional(f.trueOrFalse),
};
const newPassword = v.pipe(f.plainText, v.maxLength(1000));
/** Fields that are left out of an edit, including the e-mail, stay unchanged. */
export const PlayerForm = v.object({ email: v.optional(f.email), password: v.optional(newPassword), ...profile });
export type PlayerForm = v.InferOutput<typeof PlayerForm>;

/** Whether a player is active; the rest of the profile stays as it is. */
export const ActiveForm = v.object({ is_active: f.trueOrFalse });

/** Without `tenant_id`, in the caller's own tenant; a super admin names it. */
export const NewPlayer = v.object({
  email: f.newEmail,
  password: f.secret(1),
  tenant_id: v.optional(f.id),
  ...profile,
});
export type NewPlayer = v.InferOutput<typeof NewPlayer>;

/** A part of the e-mail. */
export const PlayerSearch = v.object({ email: f.searchText });

/** One e-mail may belong to players of several tenants, so `id` and `tenant_id` tell them apart. */
export const PlayerHit = f.optionalElsewhere(['id', 'tenant_id'], {
  id: f.number,
  tenant_id: f.number,
  email: f.string,
  first_name: f.maybe(f.string),
  last_name: f.maybe(f.string),
  credit_balance: f.number,
});
export type PlayerHit = v.InferOutput<typeof PlayerHit>;

const operation = v.optional(v.picklist(balanceOperations, 'expected add or remove'));
const change = v.optional(f.sentPositive);
/** Amounts to add to or remove from balances, all or none. Without an operation: add; without an amount: nothing. */
export const BalanceForm = v.object({
  credit: change,
  credit_op: operation,
  bonus: change,
  bonus_op: operation,
  vip: change,
  vip_op: operation,
  loyalty: change,
  loyalty_op: operation,
  ...f.reasonInBody,
});
export type BalanceForm = v.InferOutput<typeof BalanceForm>;
/** The player afterwards. */
export const BalanceAnswer = f.optionalElsewhere(['is_active'], {
  ...Player.entries,
  /** A second person must approve the edit; no balance has changed yet. Needs the feature `approvals`. */
  waits: v.optional(v.boolean()),
});

/** A player's login at a game platform. The password is masked. */
export const PlayerCredential = v.object({
  id: f.number,
  platform_name: f.string,
  platform_username: f.string,
  platform_password: f.string,
  is_active: f.boolean,
  /** Where the tenant's staff work at this platform. Needs the feature `player_logins`. */
  panel_url: v.optional(f.maybe(f.string)),
});
export type PlayerCredential = v.InferOutput<typeof PlayerCredential>;

export const PlayerCredentialForm = v.object({
  platform_username: v.optional(f.reference(200)),
  platform_password: v.optional(newPassword),
});
export type PlayerCredentialForm = v.InferOutput<typeof PlayerCredentialForm>;

/** A player has one active login per platform. `replaces` switches the former one off; without it that is a 409. */
const replaces = { replaces: v.optional(f.trueOrFalse) };
export const NewPlayerCredential = v.object({
  platform_name: f.filled(100),
  platform_username: f.reference(200),
  platform_password: v.optional(newPassword),
  ...replaces,
});

export const CredentialSwitch = v.object({ is_active: f.trueOrFalse, ...replaces });

/** The only answer that contains a player's password. */
export const CopiedPassword = v.object({ platform_password: f.string });

/** What staff look up before they decide a row of a game platform. Needs the feature `player_logins`. */
export const RowNeeds = v.object({
  platform: v.optional(f.maybe(f.string)),
  /** The player's active login at the platform. */
  login: f.maybe(PlayerCredential),
  panel_url: f.maybe(f.string),
  ...balances,
  held_balance: f.number,
  /** The last of the player, newest first. */
  movements: v.array(
    v.object({
      id: f.number,
      created_at: f.instant,
      transaction_type: f.string,
      from_account: f.string,
      to_account: f.string,
      amount: f.number,
    }),
  ),
});
export type RowNeeds = v.InferOutput<typeof RowNeeds>;

export const HistoryQuery = v.object({ limit: f.limit(LIST_MAX) });

/** A line of a player's history. WITHDRAWAL is a redeem. ADJUSTMENT is made by hand, negative when removed. */
export const HistoryLine = f.optionalElsewhere(['status', 'reason', 'note'], {
  id: f.number,
  initiated_at: f.instant,
  transaction_type: f.string,
  amount: f.number,
  payment_method: f.maybe(f.string),
  description: f.maybe(f.string),
  payment_reference: f.maybe(f.string),
  status: f.status,
  /** Why the line was made by hand, or why its status was decided. */
  ...f.givenReason,
});
export type HistoryLine = v.InferOutput<typeof HistoryLine>;
