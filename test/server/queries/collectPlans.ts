import * as assert from 'uvu/assert';
import { sql } from '../../world';

/** The plans of the statements on these `tables` that `work` sends, as text. */
export async function collectPlans(tables: RegExp, work: () => Promise<unknown>): Promise<string> {
  const seen: [string, unknown[]][] = [];
  Object.assign(sql.options, {
    debug: (_: number, text: string, values: unknown[]) => {
      seen.push([text, values]);
    },
  });
  await work().finally(() => Object.assign(sql.options, { debug: false }));
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
