import type { ReactNode } from 'react';
import type { Overview, OverviewCompared } from '../../../contract/entities';
import { formatCount } from '../../ui/formatCount';
import { Money } from '../../ui/Money';
import { nameDays, nameSpan } from './spans';

const figures: readonly [label: string, figure: keyof Omit<OverviewCompared, 'starts' | 'ends'>][] = [
  ['Purchases', 'purchases'],
  ['After fees', 'net_amount'],
  ['Redeems', 'redeems'],
  ['GGR', 'ggr'],
  ['New players', 'sign_ups'],
  ['First purchases', 'first_purchases'],
];
const counted = ['sign_ups', 'first_purchases'];

/**
 * The figures of the span, each with the same days of the one before, and how much it is up or down. A day that has
 * just begun is compared with nothing.
 */
export function Figures({ of }: { of: Overview }) {
  const [before, now] = of.steps.slice(-2);
  if (!before || !now) return null;
  const { compared = before } = of;
  const isWhole = compared.ends === before.ends;
  const isFair = of.today > of.ends || compared.starts < compared.ends;
  const days = isWhole ? nameSpan(of.unit, before.starts) : nameDays(compared.starts, compared.ends);
  return (
    <dl className="figures">
      {figures.map(([label, figure]) => {
        const show = (value: number, signed = false): ReactNode =>
          counted.includes(figure) ? (
            <data value={value}>{formatCount(value)}</data>
          ) : (
            <Money amount={value} signed={signed} />
          );
        return (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {show(now[figure], figure === 'ggr')}
              {isFair && <Change now={now[figure]} was={compared[figure]} />}
            </dd>
            <dd>
              {days}: {show(compared[figure])}
            </dd>
            {!isWhole && (
              <dd>
                Full {of.unit}: {show(before[figure])}
              </dd>
            )}
          </div>
        );
      })}
    </dl>
  );
}

/** '▲ 12%'. */
function Change({ now, was }: { now: number; was: number }) {
  const percent = Math.round((100 * (now - was)) / Math.abs(was));
  if (!was || !percent) return null;
  return (
    <small>
      {' '}
      <span aria-hidden="true">{percent > 0 ? '▲' : '▼'}</span>
      <span className="unseen">{percent > 0 ? 'up' : 'down'}</span>
      {`\u00a0${formatCount(Math.abs(percent))}%`}
    </small>
  );
}
