import { useState } from 'react';
import type { AlarmRow, Books } from '../../../contract/entities';
import { ALARM_DAYS, ALARM_ROWS, type Alarm, alarmLabels, alarms } from '../../../contract/months';
import { orDash } from '../../api/parse';
import { type Resource, useResource } from '../../hooks/useResource';
import { useApi, useUser } from '../../state/session';
import { DateTime } from '../../ui/DateTime';
import { EmailLink } from '../../ui/EmailLink';
import { formatCount } from '../../ui/formatCount';
import { Money } from '../../ui/Money';
import { RowLink } from '../../ui/RowLink';
import { Rows } from '../../ui/Rows';
import { TableFrame } from '../../ui/TableFrame';

type NameOf = ((id: number) => string) | undefined;

/** The alarms with their number of rows; one at a time shows its rows. */
export function Alarms({
  books,
  tenantId,
  nameOf,
}: {
  books: Resource<Books>;
  tenantId: number | undefined;
  nameOf: NameOf;
}) {
  const [open, setOpen] = useState<Alarm | null>(null);
  const counts = books.data?.alarms ?? [];
  return (
    <section>
      <h3>Alarms</h3>
      <p>Payments and changes of the last {ALARM_DAYS} days; balances and providers as they are now.</p>
      <TableFrame label="Alarms">
        <table>
          <thead>
            <tr>
              <th>Alarm</th>
              <th className="number">Rows</th>
              <th>Actions</th>
            </tr>
          </thead>
          <tbody aria-busy={books.busy}>
            {alarms.map((alarm) => {
              const count = counts.find((one) => one.alarm === alarm);
              return (
                <tr key={alarm}>
                  <th scope="row">{alarmLabels[alarm]}</th>
                  <td className="number">
                    {!count ? '-' : count.is_more ? `${formatCount(count.rows)}+` : formatCount(count.rows)}
                  </td>
                  <td>
                    {count && count.rows > 0 && (
                      <button
                        type="button"
                        className="secondary"
                        aria-expanded={open === alarm}
                        aria-label={`${open === alarm ? 'Hide' : 'Show'} ${alarmLabels[alarm]}`}
                        onClick={() => setOpen(open === alarm ? null : alarm)}
                      >
                        {open === alarm ? 'Hide' : 'Show'}
                      </button>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </TableFrame>
      {open && <AlarmRows key={open} alarm={open} tenantId={tenantId} nameOf={nameOf} />}
    </section>
  );
}

const details: Record<Alarm, string> = {
  no_reference: 'Payment method',
  no_reason: 'Balance and person',
  frozen_balance: 'Why',
  reference_twice: 'Reference',
  foreign_address: 'Payout address',
  provider: 'What',
};

function AlarmRows({ alarm, tenantId, nameOf }: { alarm: Alarm; tenantId: number | undefined; nameOf: NameOf }) {
  const api = useApi();
  const rows = useResource(
    (signal) => api.listAlarmRows({ tenant_id: tenantId, alarm }, { signal }),
    [api, alarm, tenantId],
    'Failed to fetch the alarm',
  );
  const list = lists[alarm];
  const columns = [
    'When',
    ...(nameOf ? ['Tenant'] : []),
    ...(alarm === 'provider' ? [] : ['User Email', ...(list ? ['Payment'] : []), 'Amount']),
    details[alarm],
  ];
  return (
    <>
      <h3>{alarmLabels[alarm]}</h3>
      <TableFrame label={alarmLabels[alarm]}>
        <table className="stack">
          <thead>
            <tr>
              {columns.map((name) => (
                <th key={name} className={name === 'Amount' ? 'number' : undefined}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <Rows of={rows} span={columns.length} empty="Resolved.">
            {(row) => <Row key={row.key} row={row} alarm={alarm} nameOf={nameOf} />}
          </Rows>
        </table>
      </TableFrame>
      {rows.data?.length === ALARM_ROWS && <p>Only the newest {ALARM_ROWS} are shown.</p>}
    </>
  );
}

/** The list that holds the payments of an alarm. */
const lists: Partial<Record<Alarm, string>> = {
  no_reference: 'purchases',
  reference_twice: 'purchases',
  foreign_address: 'redeems',
};

function Row({ row, alarm, nameOf }: { row: AlarmRow; alarm: Alarm; nameOf: NameOf }) {
  const isSuper = useUser().role.is_super_admin;
  const { money_id } = row;
  const list = lists[alarm];
  return (
    <tr>
      <td data-label="When">
        <DateTime at={row.at} tenantId={row.tenant_id} />
      </td>
      {nameOf && <td data-label="Tenant">{nameOf(Number(row.tenant_id))}</td>}
      {alarm !== 'provider' && (
        <>
          <td data-label="User Email">
            <EmailLink email={row.user_email} playerId={row.player_id} />
          </td>
          {list && (
            <td data-label="Payment">
              <RowLink to={isSuper ? `/${list}?text=${money_id}` : `/?tab=${list}&text=${money_id}`}>
                {money_id}
              </RowLink>
            </td>
          )}
          <td className="number" data-label="Amount">
            <Money amount={row.amount} />
          </td>
        </>
      )}
      <td data-label={details[alarm]}>{orDash(row.detail)}</td>
    </tr>
  );
}
