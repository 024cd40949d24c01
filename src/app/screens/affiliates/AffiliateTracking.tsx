import { useRef, useState } from 'react';
import { DATE_MAX, DATE_MIN } from '../../../contract/constants';
import { type DateRange, type Preset, presetRange, presets } from '../../../contract/dates';
import type { AffiliateStats } from '../../../contract/entities';
import { isDay } from '../../../contract/isDay';
import { usersAddress } from '../../../contract/routes';
import { formatSegment, noSegment } from '../../../contract/segment';
import { formatDayIn } from '../../../contract/timeZones';
import { toAmount } from '../../api/amount';
import { orDash } from '../../api/parse';
import { detailOr } from '../../hooks/useErrorToast';
import { useQueryParams } from '../../hooks/useQueryParams';
import { type Resource, useResource } from '../../hooks/useResource';
import { useApi, useFeature, useUser } from '../../state/session';
import { STILL_WAITING, useToast } from '../../state/toasts';
import { Field } from '../../ui/Field';
import { formatDay } from '../../ui/formatDay';
import { Money } from '../../ui/Money';
import { RowLink } from '../../ui/RowLink';
import { Select } from '../../ui/Select';
import { useZoneNote } from '../../ui/ZoneNote';
import { useZone } from '../../ui/zones';
import { AffiliateList } from './AffiliateList';

interface StatsRequest extends DateRange {
  affiliate_id: string;
}

/** The query to send, or the message about what is missing (docs/product.md, "Affiliate tracking"). */
export function readAffiliateQuery(affiliateId: string, { start_date, end_date }: DateRange): string | StatsRequest {
  const affiliate_id = affiliateId.trim();
  if (!affiliate_id) return 'Please enter an affiliate ID';
  return isDay(start_date) && isDay(end_date) ? { affiliate_id, start_date, end_date } : 'Please select date range';
}

/** What is wrong with the range. */
const findRangeProblem = ({ start_date, end_date }: DateRange) =>
  !isDay(start_date) || !isDay(end_date)
    ? 'Choose a start and an end date.'
    : start_date > end_date
      ? 'The start date is after the end date.'
      : undefined;

/**
 * The number of players of an affiliate in a range, and their GGR (docs/product.md, "Affiliate tracking"). A link with
 * an affiliate shows them at once.
 */
export function AffiliateTracking({
  tenantId,
  now = () => new Date(),
}: {
  tenantId?: number | undefined;
  now?: () => Date;
}) {
  const api = useApi();
  const toast = useToast();
  const hasList = useFeature('affiliates');
  const form = useRef<HTMLFormElement>(null);
  const { address, setAddress, preset, range, choose, dayField } = useRange(now);
  const [typed, setTyped] = useState(address.affiliate);
  const query = readAffiliateQuery(address.affiliate, range);
  // Days that are wrong are on the way to others, unless somebody asks for them.
  const [insisted, setInsisted] = useState('');
  const isWanted = !findRangeProblem(range) || insisted === JSON.stringify(query);
  const request = typeof query === 'string' || !isWanted ? null : query;
  const stats = useResource(
    request
      ? async (signal) => ({
          request,
          found: await api.getAffiliateStats({ ...request, tenant_id: tenantId }, { signal }),
        })
      : null,
    [api, request && JSON.stringify(request), tenantId],
    detailOr('Failed to fetch affiliate stats'),
  );

  function load(affiliateId: string) {
    const query = readAffiliateQuery(affiliateId, range);
    if (typeof query === 'string') return toast.error(query);
    setInsisted(JSON.stringify(query));
    if (query.affiliate_id === address.affiliate && request) void stats.reload();
    else setAddress({ affiliate: query.affiliate_id }, { replace: true });
  }

  return (
    <>
      <header className="bar">
        <h2>Affiliate Tracking</h2>
      </header>
      <form
        ref={form}
        className="bar"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          load(typed);
        }}
      >
        <Field
          label="Affiliate ID"
          autoComplete="off"
          maxLength={100}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          // The browser submits no form whose button is disabled, as it is while this is blank.
          onKeyDown={(event) => event.key === 'Enter' && !typed.trim() && load(typed)}
        />
        <Select
          label="Date Range"
          {...useZoneNote()}
          options={presets}
          value={preset}
          onChange={(event) => choose(event.target.value)}
        />
        {preset === 'custom' && (
          <>
            <Field label="Start Date" {...dayField('start')} />
            <Field label="End Date" {...dayField('end')} />
          </>
        )}
        <button disabled={stats.busy || !typed.trim()}>Get Stats</button>
      </form>

      <Stats stats={stats} range={range} tenantId={tenantId} />
      {hasList && (
        <AffiliateList
          range={range}
          problem={findRangeProblem(range)}
          tenantId={tenantId}
          onChoose={(affiliateId) => {
            setTyped(affiliateId);
            load(affiliateId);
            form.current?.scrollIntoView({ block: 'nearest' });
          }}
        />
      )}
    </>
  );
}

/** The range of days in the address, and what changes it. */
function useRange(now: () => Date) {
  const { zone } = useZone();
  const [address, setAddress] = useQueryParams({ affiliate: '', range: 'week', start: '', end: '' });
  const preset: Preset = presets.find(({ value }) => value === address.range)?.value ?? 'week';
  const range =
    preset === 'custom'
      ? { start_date: address.start, end_date: address.end }
      : presetRange(preset, formatDayIn(now(), zone));
  const dayField = (key: 'start' | 'end') => ({
    type: 'date',
    min: DATE_MIN,
    max: DATE_MAX,
    value: address[key],
    onChange: ({ target }: { target: { value: string } }) => setAddress({ [key]: target.value }, { replace: true }),
  });
  function choose(next: string) {
    // A custom range starts with the days shown before.
    const picked = next === 'custom' ? { start: range.start_date, end: range.end_date } : { start: '', end: '' };
    setAddress({ range: next, ...picked }, { replace: true });
  }
  return { address, setAddress, preset, range, choose, dayField };
}

interface StatsProps {
  stats: Resource<{ request: StatsRequest; found: AffiliateStats }>;
  range: DateRange;
  tenantId: number | undefined;
}
/** The figures of the range that was asked for. They leave with it: the list below shows the next range at once. */
function Stats({ stats, range, tenantId }: StatsProps) {
  const hasFilters = useFeature('player_filters'),
    hasList = useFeature('affiliates');
  const isSuper = useUser().role.is_super_admin;
  const { data, busy, failed, slow } = stats;
  const isShown = data?.request.start_date === range.start_date && data.request.end_date === range.end_date && !failed;
  return (
    <div className="stats">
      <div role="status">{busy && (slow ? STILL_WAITING : 'Loading…')}</div>
      {!isShown && !busy && hasList && <p className="none">Choose an affiliate to see its figures.</p>}
      {isShown && (
        <section className="overview" style={{ marginTop: '1.25rem' }}>
          <h3>
            {data.request.affiliate_id}, {formatDay(range.start_date)} to {formatDay(range.end_date)}
          </h3>
          <dl className="figures" aria-busy={busy}>
            <div>
              <dt>Total Players</dt>
              <dd>{orDash(toAmount(data.found.total_players))}</dd>
              <dd>Players signed up with affiliate ID: {data.request.affiliate_id}</dd>
            </div>
            <div>
              <dt>Total GGR</dt>
              <dd>
                <Money amount={data.found.total_ggr} signed />
              </dd>
              <dd>Gross Gaming Revenue from affiliate players</dd>
            </div>
          </dl>
          {toAmount(data.found.total_players) === 0 && <p>No player has this affiliate ID in these days.</p>}
          {hasFilters && (
            <RowLink
              to={usersAddress({
                ...(isSuper && tenantId && { tenant: String(tenantId) }),
                segment: formatSegment({ ...noSegment, affiliate: data.request.affiliate_id }),
              })}
            >
              Show its players
            </RowLink>
          )}
        </section>
      )}
    </div>
  );
}
