import { useState } from 'react';
import type { MoneyList } from '../../../contract/constants';
import type { Overview } from '../../../contract/entities';
import { type ListedKind, ruleFacts } from '../../../contract/notifications';
import { ListedRows } from '../../parts/alarms/ListedRows';
import { nameRows, useAlarms } from '../../parts/alarms/useAlarms';
import { WaitingTime } from '../../parts/queue/WaitingTime';
import { useFeature } from '../../state/session';
import { formatCount } from '../../ui/formatCount';
import { Money } from '../../ui/Money';
import { RowLink } from '../../ui/RowLink';
import { TableFrame } from '../../ui/TableFrame';
import { Waiting } from '../../ui/Waiting';
import type { Links } from './links';

const lists: readonly [key: MoneyList, label: string][] = [
  ['purchases', 'purchases'],
  ['deposits', 'deposits'],
  ['returns', 'returns'],
  ['redeems', 'redeems'],
];

/** The number that is late says it by the minutes of each tenant. */
const neverLate = { late_minutes: Infinity, overdue_minutes: Infinity };

/** What waits for a decision now, and what looks wrong. */
export function Attention({ of, links, tenantId }: { of: Overview; links: Links; tenantId: number | undefined }) {
  const [listed, setListed] = useState<ListedKind | null>(null);
  const hasLate = useFeature('late_minutes');
  const found = useAlarms(tenantId);
  const alarms = found.data ?? [];
  const waiting = lists.flatMap(([key, label]) => {
    const one = of.parts.find((part) => part.part === 'pending' && part.key === key);
    const count = (one?.count_in ?? 0) + (one?.count_out ?? 0);
    const late = of.parts.find((part) => part.part === 'late' && part.key === key)?.count_in ?? 0;
    return one && count
      ? [{ ...{ key, label, count, late }, amount: one.amount_in + one.amount_out, at: one.oldest }]
      : [];
  });
  return (
    <div className="picture">
      <h3>Needs attention</h3>
      {waiting.length === 0 && alarms.length === 0 ? (
        <p>Nothing waits for a decision.</p>
      ) : (
        <TableFrame label="Needs attention">
          <table>
            <tbody>
              {waiting.map(({ key, label, count, amount, late, at }) => (
                <tr key={key}>
                  <th scope="row">
                    <RowLink to={links.pending(key)}>Pending {label}</RowLink>
                  </th>
                  <td className="number">{formatCount(count)}</td>
                  <td className="number">
                    <Money amount={amount} />
                  </td>
                  <td className="number">
                    {hasLate && late > 0 && <b className="status pending">{formatCount(late)} late</b>}
                  </td>
                  <td className="number">
                    <WaitingTime status="pending" at={at} row={hasLate ? neverLate : undefined} />
                  </td>
                </tr>
              ))}
              {alarms.map(({ kind, rows }) => (
                <tr key={kind}>
                  <th scope="row" colSpan={3}>
                    <button type="button" className="link" aria-haspopup="dialog" onClick={() => setListed(kind)}>
                      {ruleFacts[kind].name}
                    </button>
                  </th>
                  <td className="number" colSpan={2}>
                    {nameRows(rows)} {rows === 1 ? 'row' : 'rows'}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      )}
      {found.failed && <Waiting for={found} failure="Failed to fetch the rows that look wrong" />}
      {listed && <ListedRows kind={listed} tenantId={tenantId} onClose={() => setListed(null)} />}
    </div>
  );
}
