import * as assert from 'uvu/assert';
import { statementChannel } from '../../../src/server/db/session';
import { sql } from '../../world';

/** How many statements some work sends. */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const see = () => void count++;
  statementChannel.subscribe(see);
  await work().finally(() => statementChannel.unsubscribe(see));
  return count;
}

/** The plans of the statements on these `tables` that `work` sends, as text. */
export async function collectPlans(tables: RegExp, work: () => Promise<unknown>): Promise<string> {
  const seen: [string, unknown[]][] = [];
  const see = (sent: unknown) => {
    const { text, values = [] } = sent as { text: string; values?: unknown[] };
    seen.push([text, values]);
  };
  statementChannel.subscribe(see);
  await work().finally(() => statementChannel.unsubscribe(see));
  const plans = await Promise.all(
    seen
      .filter(([text]) => tables.test(text))
      .map(([text, values]) => sql.unsafe<{ 'QUERY PLAN': string }[]>(`explain ${text}`, values as string[])),
  );
  assert.ok(plans.length > 0, 'no statement was seen');
  return plans
    .flat()
    .map((line) => line['QUERY PLAN'])
    .join('\n');
}
