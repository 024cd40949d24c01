/** The totals as tests look at them, and counted when a test wants it. */
import { countFacts } from '../src/server/totals/countFacts';
import { dayCtes, dayTotals } from '../src/server/totals/liveFacts';
import { db, sql } from './world';

/** Adds everything that was settled so far to the facts. */
export const countAll = (): Promise<void> => countFacts(db, { behind: '0 seconds', margin: '0 seconds' });

export interface Day {
  day: string;
  purchases: number;
  redeems: number;
  purchase_count: number;
  redeem_count: number;
}
/** What was purchased and redeemed on each business day of a tenant. */
export const readDays = async (tenantId: number, on = sql): Promise<Day[]> => [
  ...(await on<Day[]>`
    with ${dayCtes(on, tenantId)}
    select day::text, sum(purchases) as purchases, sum(redeems) as redeems, sum(purchase_count) as purchase_count,
      sum(redeem_count) as redeem_count
    from ${dayTotals(on, tenantId)} d group by day order by day`),
];
