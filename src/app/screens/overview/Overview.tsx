import { DATE_MAX, DATE_MIN } from '../../../contract/constants';
import type { Overview as Shown } from '../../../contract/entities';
import { type OverviewUnit, overviewUnits } from '../../../contract/overview';
import { useQueryParams } from '../../hooks/useQueryParams';
import { useResource } from '../../hooks/useResource';
import { TenantFilter } from '../../parts/tenantColumn';
import { isDemoMode } from '../../state/demoMode';
import { useApi, useFeature, useUser } from '../../state/session';
import { STILL_WAITING } from '../../state/toasts';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { formatCount } from '../../ui/formatCount';
import { Money } from '../../ui/Money';
import { ZoneNote } from '../../ui/ZoneNote';
import { ColumnChart } from './ColumnChart';
import { demoOverview } from './demoOverview';
import { HeatMap } from './HeatMap';
import { createLinks } from './links';
import { PictureFrame } from './PictureFrame';
import * as parts from './partPictures';
import { RankChart } from './RankChart';
import { beside, nameSpan, startOf } from './spans';
import * as times from './timePictures';

/** The span and the tenant are in the address. */
const address = { unit: 'month', date: '', tenant: '' };
const unitNames: Record<OverviewUnit, string> = { day: 'Day', week: 'Week', month: 'Month' };
const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && text >= DATE_MIN && text <= DATE_MAX;

/**
 * Pictures of how a tenant, or all, are doing (docs/extras/overview.md, "Overview"). Each bar leads to the list behind
 * it.
 */
export function Overview({ tenantId }: { tenantId?: number }) {
  const api = useApi();
  const isSuper = useUser().role.is_super_admin;
  const [given, setAddress] = useQueryParams(address);
  const unit = overviewUnits.find((one) => one === given.unit) ?? 'month';
  const tenant = isSuper && /^\d{1,15}$/.test(given.tenant) ? given.tenant : '';
  const date = isDay(given.date) ? given.date : '';
  const overview = useResource(
    (signal) =>
      api.getOverview(
        { unit, ...(date && { date }), tenant_id: tenantId ?? (tenant ? Number(tenant) : undefined) },
        { signal },
      ),
    [api, unit, date, tenant, tenantId],
    'Failed to load the overview',
  );
  const real = overview.data;
  const shown = real && (isDemoMode() ? demoOverview(real) : real);
  const go = (day: string) =>
    setAddress({ date: shown && startOf(unit, shown.today) === startOf(unit, day) ? '' : day });

  return (
    <section className="overview" aria-busy={overview.busy}>
      <header className="bar">
        <h2>Overview</h2>
        <span role="status">{shown && nameSpan(shown.unit, shown.starts)}</span>
        <div className="spans" role="group" aria-label="Span">
          {overviewUnits.map((one) => (
            <Button key={one} aria-pressed={one === unit} onClick={() => setAddress({ unit: one })}>
              {unitNames[one]}
            </Button>
          ))}
        </div>
        {shown && (
          <div className="spans" role="group" aria-label={`Choose a ${unit}`}>
            <Button aria-label={`Previous ${unit}`} onClick={() => go(beside(unit, shown.starts, -1))}>
              ‹
            </Button>
            <Button disabled={!date} onClick={() => setAddress({ date: '' })}>
              {unit === 'day' ? 'Today' : `This ${unit}`}
            </Button>
            <Button
              aria-label={`Next ${unit}`}
              disabled={shown.ends >= shown.today}
              onClick={() => go(beside(unit, shown.starts, 1))}
            >
              ›
            </Button>
          </div>
        )}
        <Field
          label="Date"
          type="date"
          min={DATE_MIN}
          max={shown?.today ?? DATE_MAX}
          value={date || (shown?.today ?? '')}
          onChange={({ target }) => isDay(target.value) && go(target.value)}
        />
        <TenantFilter value={tenant} onChange={(id) => setAddress({ tenant: id })} />
        <ZoneNote tenantId={tenantId ?? (Number(tenant) || undefined)} />
        {isDemoMode() && <span className="badge">Demo figures</span>}
        <button type="button" className="secondary print" onClick={() => print()}>
          Print
        </button>
      </header>
      {overview.slow && <p role="status">{STILL_WAITING}</p>}
      {overview.failed && (
        <p role="alert">
          Failed to load the overview{' '}
          <Button disabled={overview.busy} onClick={() => void overview.reload()}>
            Retry
          </Button>
        </p>
      )}
      {shown ? (
        <Pictures shown={shown} isSuper={isSuper} tenant={tenant} />
      ) : (
        !overview.failed && !overview.slow && <p role="status">Loading…</p>
      )}
    </section>
  );
}

function Pictures({ shown, isSuper, tenant }: { shown: Shown; isSuper: boolean; tenant: string }) {
  const links = createLinks({ isSuper, tenant });
  const hasReturns = useFeature('returns'),
    hasLate = useFeature('late_minutes');
  const file = `overview-${shown.starts}`;
  return (
    <>
      <Figures of={shown} />
      <div className="pictures">
        <PictureFrame picture={times.hours(shown, links)} Chart={ColumnChart} file={file} isWide />
        <PictureFrame picture={times.flows(shown, links)} Chart={ColumnChart} file={file} isWide />
        <PictureFrame picture={times.newPlayers(shown, links)} Chart={ColumnChart} file={file} />
        <PictureFrame picture={times.firstPurchases(shown, links)} Chart={ColumnChart} file={file} />
        <PictureFrame picture={times.averages(shown, links)} Chart={ColumnChart} file={file} />
        <PictureFrame picture={parts.payouts(shown, links)} Chart={ColumnChart} file={file} />
        <PictureFrame picture={times.cohorts(shown, links)} Chart={HeatMap} file={file} isWide />
        <PictureFrame picture={parts.players(shown, links, isSuper && !tenant)} Chart={RankChart} file={file} />
        <PictureFrame picture={parts.affiliates(shown, links)} Chart={RankChart} file={file} />
        <PictureFrame picture={parts.methods(shown, links)} Chart={RankChart} file={file} />
        <PictureFrame picture={parts.platforms(shown, links)} Chart={RankChart} file={file} />
        <PictureFrame picture={parts.deciders(shown, links)} Chart={RankChart} file={file} />
        <PictureFrame picture={parts.deposits(shown, links)} Chart={RankChart} file={file} />
        {hasReturns && <PictureFrame picture={parts.games(shown, links)} Chart={RankChart} file={file} />}
        <PictureFrame picture={parts.held(shown, links)} Chart={RankChart} file={file} />
        <PictureFrame picture={parts.pending(shown, links, hasLate)} Chart={RankChart} file={file} />
      </div>
    </>
  );
}

/** The figures of the span, each with the one before it. */
function Figures({ of }: { of: Shown }) {
  const [before, now] = of.steps.slice(-2);
  if (!before || !now) return null;
  const name = nameSpan(of.unit, before.starts);
  const figures = [
    ['Purchases', <Money key="now" amount={now.purchases} />, <Money key="before" amount={before.purchases} />],
    ['After fees', <Money key="now" amount={now.net_amount} />, <Money key="before" amount={before.net_amount} />],
    ['Redeems', <Money key="now" amount={now.redeems} />, <Money key="before" amount={before.redeems} />],
    ['GGR', <Money key="now" amount={now.ggr} signed />, <Money key="before" amount={before.ggr} />],
    ['New players', formatCount(now.sign_ups), formatCount(before.sign_ups)],
    ['First purchases', formatCount(now.first_purchases), formatCount(before.first_purchases)],
  ] as const;
  return (
    <dl className="figures">
      {figures.map(([label, figure, was]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{figure}</dd>
          <dd>
            <small>
              {name}: {was}
            </small>
          </dd>
        </div>
      ))}
    </dl>
  );
}
