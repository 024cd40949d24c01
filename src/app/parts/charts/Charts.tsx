import { useState } from 'react';
import { type ChartDays, chartDays } from '../../../contract/constants';
import { useResource } from '../../hooks/useResource';
import { isDemoMode } from '../../state/demoMode';
import { useApi } from '../../state/session';
import { Dialog } from '../../ui/Dialog';
import { formatDay } from '../../ui/formatDay';
import { formatPlatform } from '../../ui/formatPlatform';
import { Money } from '../../ui/Money';
import { Rows } from '../../ui/Rows';
import { Select } from '../../ui/Select';
import { TableFrame } from '../../ui/TableFrame';
import { ZoneNote } from '../../ui/ZoneNote';
import { type Line, parseLines, toAmounts } from './amounts';
import { DayBars } from './DayBars';

const periods = chartDays.map((days) => ({ value: days, label: `Last ${days} days` }));

/**
 * Purchases, redeems and GGR of one tenant or of all: by day, by game platform and by payment method. Each chart has a
 * table with the same amounts.
 */
export function Charts({ tenantId, onClose }: { tenantId?: number | undefined; onClose: () => void }) {
  const api = useApi();
  const [days, setDays] = useState<ChartDays>(chartDays[0]);
  const [withDays, setWithDays] = useState(false);
  const charts = useResource(
    (signal) => api.getCharts({ tenant_id: tenantId, days }, { signal }),
    [api, tenantId, days],
    'Failed to load charts',
  );
  const total = charts.data && toAmounts({ ...charts.data.total });
  const lines = charts.data && parseLines(charts.data.days, 'day');
  const [firstDay, lastDay] = [lines?.at(0), lines?.at(-1)].map((line) => formatDay(line?.label ?? ''));

  return (
    <Dialog title="Charts" wide onClose={onClose}>
      <div className="bar">
        <Select
          label="Period"
          options={periods}
          value={days}
          aria-busy={charts.busy}
          onChange={({ target }) => setDays(chartDays.find((known) => String(known) === target.value) ?? chartDays[0])}
        />
        <ZoneNote />
        {isDemoMode() && <span className="badge">Demo figures</span>}
        {total && (
          <p>
            Purchases <Money amount={total.purchases} />, redeems <Money amount={total.redeems} />, GGR{' '}
            <Money amount={total.ggr} signed />
          </p>
        )}
      </div>
      <h3>By day</h3>
      {lines?.length ? (
        <>
          <DayBars lines={lines} height={160} withGgr />
          <p>
            Purchases above the line, redeems below it, GGR as a line, {firstDay} to {lastDay}.
          </p>
        </>
      ) : null}
      <button type="button" className="secondary" aria-expanded={withDays} onClick={() => setWithDays(!withDays)}>
        By day as a table
      </button>
      {withDays && <AmountsTable name="Day" lines={lines && [...lines].reverse()} charts={charts} />}
      <h3>By platform</h3>
      <AmountsTable
        name="Platform"
        lines={charts.data && parseLines(charts.data.platforms, 'name', 'Wallet (no platform)')}
        charts={charts}
        withBars
      />
      <h3>By method</h3>
      <AmountsTable
        name="Method"
        lines={charts.data && parseLines(charts.data.methods, 'name', 'No method')}
        charts={charts}
        withBars
      />
      <footer>
        <button type="button" className="secondary" onClick={onClose}>
          Close
        </button>
      </footer>
    </Dialog>
  );
}

type Shown = Omit<ReturnType<typeof useResource>, 'data'>;

/** The amounts as a table. With `withBars` each row has bars, purchases above redeems, on one scale. */
function AmountsTable({
  name,
  lines,
  charts,
  withBars = false,
}: {
  name: string;
  lines: Line[] | undefined;
  charts: Shown;
  withBars?: boolean;
}) {
  const most = Math.max(...(lines ?? []).flatMap(({ purchases, redeems }) => [purchases, redeems]), 0.01);
  return (
    <TableFrame label={`By ${name.toLowerCase()}`}>
      <table>
        <thead>
          <tr>
            <th>{name}</th>
            <th className="number">Purchases</th>
            <th className="number">Redeems</th>
            <th className="number">GGR</th>
            {withBars && <th aria-hidden="true">Purchases over redeems</th>}
          </tr>
        </thead>
        <Rows of={{ ...charts, data: lines }} span={withBars ? 5 : 4} empty="Nothing in this period.">
          {({ label, purchases, redeems, ggr }) => (
            <tr key={label}>
              <th scope="row">{name === 'Day' ? formatDay(label) : formatPlatform(label)}</th>
              <td className="number">
                <Money amount={purchases} />
              </td>
              <td className="number">
                <Money amount={redeems} />
              </td>
              <td className="number">
                <Money amount={ggr} signed />
              </td>
              {withBars && (
                <td aria-hidden="true">
                  <svg focusable="false" width="160" height="16" viewBox="0 0 160 16">
                    <rect className="gain" fill="currentColor" y="1" height="6" width={(160 * purchases) / most} />
                    <rect className="loss" fill="currentColor" y="9" height="6" width={(160 * redeems) / most} />
                  </svg>
                </td>
              )}
            </tr>
          )}
        </Rows>
      </table>
    </TableFrame>
  );
}
