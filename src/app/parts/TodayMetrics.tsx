import { netHoldingPercent } from '../../contract/rules';
import { useRested } from '../hooks/useRested';
import { demoFigures, type Figures, isDemoMode, parseFigures } from '../state/demoMode';
import { useFeature } from '../state/session';
import { STILL_WAITING } from '../state/toasts';
import { Button } from '../ui/Button';
import { lazyWithRetry } from '../ui/lazyWithRetry';
import { Money } from '../ui/Money';
import { ZoneNote } from '../ui/ZoneNote';
import { useMetrics } from './polled';

const Trend = lazyWithRetry(() => import('./charts/Trend').then((file) => file.Trend));

type Line = [label: string, figure: keyof Figures];
const groups: [heading: string, lines: Line[]][] = [
  [
    'Today',
    [
      ['Total Purchases', 'total_purchases_today'],
      ['Total Redeems', 'total_redeems_today'],
      ['Total GGR', 'total_ggr'],
    ],
  ],
  [
    'Historical',
    [
      ["Yesterday's GGR", 'yesterday_ggr'],
      ['Week to Date GGR', 'week_ggr'],
      ['Week to Date Purchases', 'week_purchases'],
      ['Last Week Total Purchases', 'last_week_purchases'],
      ['Last Week GGR', 'last_week_ggr'],
    ],
  ],
  [
    'Month to date',
    [
      ['MTD Purchases', 'month_purchases'],
      ['MTD Redeems', 'month_redeems'],
      ['MTD GGR', 'month_ggr'],
    ],
  ],
];

/** The metrics of the sidebar, refreshed every five minutes (docs/product.md, "Metrics"). */
export function TodayMetrics({ tenantId }: { tenantId?: number | undefined }) {
  const { data, busy, failed, slow, reload } = useMetrics(tenantId);
  const hasCharts = useFeature('charts'),
    isRested = useRested(data !== undefined);
  const isDemo = isDemoMode();
  const figures = data && (isDemo ? demoFigures(parseFigures(data)) : parseFigures(data));

  return (
    <section className="metrics" aria-label="Today's Metrics" aria-busy={busy}>
      <h2>Today's Metrics</h2>
      {isDemo && <p className="badge">Demo figures</p>}
      <p role="status">{slow && STILL_WAITING}</p>
      {failed && (
        <p role="alert">
          <span>Failed to load metrics</span>{' '}
          <Button disabled={busy} onClick={() => void reload()}>
            Retry
          </Button>
        </p>
      )}
      {figures ? (
        <>
          {groups.map(([heading, lines]) => (
            <section key={heading}>
              <h3>{heading}</h3>
              {heading === 'Today' && <ZoneNote />}
              <dl>
                {lines.map(([label, figure]) => (
                  <div key={label}>
                    <dt>{label}</dt>
                    <dd>
                      <Money amount={figures[figure]} signed={figure.endsWith('ggr')} />
                    </dd>
                  </div>
                ))}
                {heading === 'Month to date' && (
                  <div>
                    <dt>Net Holding %</dt>
                    <dd>{netHolding(figures)}</dd>
                  </div>
                )}
              </dl>
            </section>
          ))}
          {hasCharts && isRested && data.trend && <Trend days={data.trend} />}
        </>
      ) : (
        !failed && !slow && <p>{busy ? 'Loading…' : 'No data available'}</p>
      )}
    </section>
  );
}

function netHolding({ month_ggr, month_purchases }: Figures): string {
  return month_ggr === null || month_purchases === null ? '-' : `${netHoldingPercent(month_ggr, month_purchases)}%`;
}
