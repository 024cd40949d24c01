/** The amounts of days, parsed from any server's answer, and scaled in demo mode. */
import { DEMO_PURCHASES, DEMO_REDEEMS } from '../../../contract/constants';
import type { Amounts } from '../../../contract/entities';
import { toAmount } from '../../api/amount';
import { orDash } from '../../api/parse';
import { isDemoMode } from '../../state/demoMode';

export interface Line extends Amounts {
  /** The business day. */
  label: string;
}

/** The lines of a list; invalid ones are left out. */
export function parseLines(list: unknown): Line[] {
  if (!Array.isArray(list)) return [];
  return list
    .filter((row): row is Record<string, unknown> => typeof row === 'object' && row !== null)
    .map((row) => ({ ...toAmounts(row), label: orDash(row.day) }));
}

function toAmounts(row: Record<string, unknown>): Amounts {
  const [purchases, redeems, ggr] = [toAmount(row.purchases) ?? 0, toAmount(row.redeems) ?? 0, toAmount(row.ggr) ?? 0];
  return isDemoMode() ? demoAmounts({ purchases, redeems, ggr }) : { purchases, redeems, ggr };
}

// Demo amounts are computed in cents to avoid rounding errors.
const cents = (amount: number) => Math.round(amount * 100);
/** The demo amounts (docs/product.md, "Demo mode") of a day, a platform or a method. */
export function demoAmounts(real: Amounts): Amounts {
  const purchases = cents(real.purchases) * DEMO_PURCHASES,
    redeems = cents(real.redeems) * DEMO_REDEEMS;
  return { purchases: purchases / 100, redeems: redeems / 100, ggr: (purchases - redeems) / 100 };
}
