import { DEMO_PURCHASES, DEMO_REDEEMS } from '../../../contract/constants';
import type { Overview } from '../../../contract/entities';
import { demoAmounts } from '../../parts/charts/amounts';

const times = (amount: number, factor: number) => Math.round(amount * 100 * factor) / 100;
const nowOf = <T extends { purchases: number; redeems: number; ggr: number }>(one: T): T => ({
  ...one,
  ...demoAmounts(one),
});
const bothOf = <
  T extends Parameters<typeof nowOf>[0] & { before_purchases: number; before_redeems: number; before_ggr: number },
>(
  one: T,
): T => {
  const before = demoAmounts({ purchases: one.before_purchases, redeems: one.before_redeems, ggr: one.before_ggr });
  return {
    ...nowOf(one),
    before_purchases: before.purchases,
    before_redeems: before.redeems,
    before_ggr: before.ggr,
  };
};

const scaled = ['tenant', 'platform', 'method', 'affiliate', 'payout', 'paid', 'refused'];
/** The demo figures of an overview (docs/product.md, "Demo mode"). Counts, deposits and balances stay. */
export const demoOverview = (of: Overview): Overview => ({
  ...of,
  ...(of.compared && {
    compared: { ...nowOf(of.compared), net_amount: times(of.compared.net_amount, DEMO_PURCHASES) },
  }),
  steps: of.steps.map((step) => ({ ...bothOf(step), net_amount: times(step.net_amount, DEMO_PURCHASES) })),
  hours: of.hours.map(bothOf),
  players: of.players.map(nowOf),
  parts: of.parts.map((one) =>
    scaled.includes(one.part)
      ? {
          ...one,
          amount_in: times(one.amount_in, DEMO_PURCHASES),
          amount_out: times(one.amount_out, DEMO_REDEEMS),
        }
      : one,
  ),
});
