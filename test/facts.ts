/** The totals as tests look at them, and counted when a test wants it. */
import { PLATFORM_TENANT_ID } from '../src/contract/constants';
import { countFacts } from '../src/server/totals/countFacts';
import { dayCtes, dayTotals } from '../src/server/totals/liveFacts';
import { booksAddUp } from './answers';
import { eventually } from './server/running';
import { db, sql } from './world';

/** Adds everything that was settled so far to the facts. */
export async function countAll(): Promise<void> {
  const { at } = await sql<{ at: Date }[]>`select clock_timestamp() as at`.one();
  await eventually(async () => {
    await countFacts(db, { behind: '0 seconds', margin: '0 seconds' });
    const left = await sql`
      select id from tenants where id <> ${PLATFORM_TENANT_ID}
      except select tenant_id from facts_until where until >= ${at}`;
    return !left.length; // what an earlier call left behind holds them up
  });
}
/** To be run after each test that moves money: the books add up as they are, and once everything is counted. */
export async function booksAddUpCounted(): Promise<void> {
  await booksAddUp();
  await countAll();
  await booksAddUp();
}

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
