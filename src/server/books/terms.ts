/**
 * The terms of a purchase, deposit or redeem: what decides about money beside player, type, amount and status. Of a
 * deposit this is which balance pays and which platform gets it.
 */
import type { Fragment, Sql } from '../db/open';

/** Text of a row of `transactions`, as JSON so that no value can pass for another one. */
export const transactionTerms = (sql: Sql, row: Fragment) => sql`
  json_build_array(${row}.payment_metadata ->> 'type', ${row}.platform, ${row}.payment_method, ${row}.net_amount,
    extract(epoch from ${row}.initiated_at))::text`;

/** The same of `redeems`. */
export const redeemTerms = (sql: Sql, row: Fragment) => sql`
  json_build_array(${row}.platform, ${row}.payout_method, ${row}.business_day,
    extract(epoch from ${row}.initiated_at))::text`;
