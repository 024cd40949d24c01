import { DATE_MAX, DATE_MIN } from '../../../contract/constants';
import type { Overview as Shown } from '../../../contract/entities';
import { isDay } from '../../../contract/isDay';
import { type OverviewUnit, overviewUnits } from '../../../contract/overview';
import { useCall } from '../../hooks/useCall';
import { useQueryParams } from '../../hooks/useQueryParams';
import { ProfitButton } from '../../parts/profit/ProfitButton';
import { RestedField } from '../../parts/RestedField';
import { TenantFilter } from '../../parts/tenantColumn';
import { isDemoMode } from '../../state/demoMode';
import { useApi, useFeature, useUser } from '../../state/session';
import { Button } from '../../ui/Button';
import { Waiting } from '../../ui/Waiting';
import { ZoneNote } from '../../ui/ZoneNote';
import { Attention } from './Attention';
import { ColumnChart } from './ColumnChart';
import { demoOverview } from './demoOverview';
import { Figures } from './Figures';
import { HeatMap } from './HeatMap';
import { createLinks } from './links';
import { type Chart, PictureFrame } from './PictureFrame';
import * as parts from './partPictures';
import type { Picture } from './picture';
import { RankChart } from './RankChart';
import { beside, nameSpan, startOf } from './spans';
import * as times from './timePictures';

/** The span and the tenant are in the address. */
const address = { unit: 'month', date: '', tenant: '' };
const unitNames: Record<OverviewUnit, string> = { day: 'Day', week: 'Week', month: 'Month' };
const readId = (text: string) => (/^\d{1,15}$/.test(text) ? text : '');

/**
 * Pictures of how a tenant, or all, are doing (docs/extras/overview.md, "Overview"). Each bar leads to the list behind
 * it.
 */
export function Overview({ tenantId }: { tenantId?: number }) {
  const api = useApi();
  const isSuper = useUser().role.is_super_admin;
  const [given, setAddress] = useQueryParams(address);
  const unit = overviewUnits.find((one) => one === given.unit) ?? 'month';
  const tenant = isSuper ? String(tenantId ?? readId(given.tenant)) : '';
  const shownTenant = tenantId ?? (Number(tenant) || undefined);
  const date = isDay(given.date) ? given.date : '';
  const overview = useCall(
    api.getOverview,
    { unit, ...(date && { date }), tenant_id: shownTenant },
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
        <span role="status">
          {shown && nameSpan(shown.unit, shown.starts)} <ZoneNote tenantId={shownTenant} />
        </span>
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
        <RestedField
          label="Date"
          type="date"
          min={DATE_MIN}
          max={shown?.today ?? DATE_MAX}
          value={date || (shown?.today ?? '')}
          onValue={(text) => isDay(text) && go(text)}
        />
        <TenantFilter value={tenant} onChange={(id) => setAddress({ tenant: id })} />
        {isDemoMode() && <span className="badge">Demo figures</span>}
        <ProfitButton tenantId={shownTenant} of={real} />
        <button type="button" className="secondary print" onClick={() => print()}>
          Print
        </button>
      </header>
      {(!shown || overview.slow || overview.failed) && <Waiting for={overview} failure="Failed to load the overview" />}
      {shown && <Pictures shown={shown} isSuper={isSuper} tenantId={shownTenant} />}
    </section>
  );
}

function Pictures({ shown, isSuper, tenantId }: { shown: Shown; isSuper: boolean; tenantId: number | undefined }) {
  const isSpanning = isSuper && tenantId === undefined;
  const links = createLinks({ isSuper, tenant: isSuper ? String(tenantId ?? '') : '' });
  const hasReturns = useFeature('returns');
  const ranks = [
    ...[parts.affiliates, parts.methods, parts.platforms, ...(hasReturns ? [parts.games] : [])],
    ...[parts.deciders, parts.deposits, parts.held],
  ];
  const made = (all: typeof ranks) => all.map((make) => make(shown, links));
  const draw = (Chart: Chart, pictures: Picture[], isWide = false) =>
    pictures.map((picture) => (
      <PictureFrame key={picture.id} {...{ picture, Chart, isWide }} file={`overview-${shown.starts}`} />
    ));
  const hours = draw(ColumnChart, [times.hours(shown, links)], true);
  return (
    <div className="pictures">
      <Attention of={shown} links={links} tenantId={tenantId} />
      <Figures of={shown} />
      {shown.unit === 'day' && hours}
      {draw(ColumnChart, [times.flows(shown, links)], true)}
      {draw(HeatMap, [times.cohorts(shown, links)], true)}
      {shown.unit !== 'day' && hours}
      <div className="ranks">
        {isSpanning && draw(RankChart, [parts.tenants(shown)])}
        {draw(ColumnChart, made([times.newPlayers, times.firstPurchases, times.averages, parts.payouts]))}
        {draw(RankChart, [parts.players(shown, links, isSpanning), ...made(ranks)])}
      </div>
    </div>
  );
}
