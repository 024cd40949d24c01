import { useEffect, useRef, useState } from 'react';
import type { AccountLine, MonthStatement } from '../../../contract/entities';
import {
  accountLabels,
  formatMonth,
  isPlayers,
  type LedgerAccount,
  type MovementKind,
  movementKinds,
  movementLabels,
} from '../../../contract/months';
import { useAction } from '../../hooks/useAction';
import { detailOr } from '../../hooks/useErrorToast';
import { useResource } from '../../hooks/useResource';
import { downloadFile } from '../../parts/downloadFile';
import { ProfitTable } from '../../parts/profit/ProfitTable';
import { useFeature, useMay } from '../../state/session';
import { STILL_WAITING } from '../../state/toasts';
import { useDialogApi } from '../../state/useDialogApi';
import { Button } from '../../ui/Button';
import { DateTime } from '../../ui/DateTime';
import { CloseButton, Dialog } from '../../ui/Dialog';
import { formatCount } from '../../ui/formatCount';
import { Money } from '../../ui/Money';
import { TableFrame } from '../../ui/TableFrame';
import { MonthFigures } from './MonthFigures';
import { printAlone } from './printAlone';

/** The last day of a month. */
const endOfMonth = (month: string): string => {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
};

/** The statement of a month, as a page to print and as a CSV file. */
export function Statement({ tenantId, month, onClose }: { tenantId: number; month: string; onClose: () => void }) {
  const api = useDialogApi();
  const mayExport = useMay('export'),
    hasProfit = useFeature('shifts');
  const [isProfitShown, setProfitShown] = useState(false);
  const page = useRef<HTMLElement>(null);
  useEffect(() => printAlone(() => page.current), []);
  const statement = useResource(
    (signal) => api.getStatement({ tenant_id: tenantId, month }, { signal }),
    [api, tenantId, month],
    'Failed to fetch the statement',
  );
  const save = useAction(
    async (_: null) =>
      downloadFile(await api.exportStatement({ tenant_id: tenantId, month }), `statement-${tenantId}-${month}.csv`),
    { done: null, failed: detailOr('Failed to export the statement') },
  );
  const { data, slow, failed } = statement;
  return (
    <Dialog title={`Statement of ${formatMonth(month)}`} wide onClose={onClose}>
      {data ? (
        <section ref={page} aria-label={`Statement of ${formatMonth(month)}`}>
          <Head statement={data} />
          <MonthFigures of={data} />
          <h3>Accounts</h3>
          <Accounts lines={data.accounts} />
          <Kinds statement={data} />
          {hasProfit && !isProfitShown && <Button onClick={() => setProfitShown(true)}>Show the profit</Button>}
          {isProfitShown && (
            <>
              <h3>Profit</h3>
              <ProfitTable tenantId={tenantId} from={`${month}-01`} to={endOfMonth(month)} />
            </>
          )}
        </section>
      ) : (
        <p role="status">{failed ? 'Could not be loaded.' : slow ? STILL_WAITING : 'Loading…'}</p>
      )}
      <footer>
        {failed && <Button onClick={() => void statement.reload()}>Retry</Button>}
        {mayExport && (
          <Button busy={save.busy} onClick={() => void save.run(null)}>
            Export CSV
          </Button>
        )}
        <Button disabled={!data} onClick={() => window.print()}>
          Print
        </Button>
        <CloseButton />
      </footer>
    </Dialog>
  );
}

const Head = ({ statement: { tenant_id, tenant_name, month, time_zone, ...rest } }: { statement: MonthStatement }) => (
  <>
    <h3>
      {tenant_name}, {formatMonth(month)}
    </h3>
    <p>
      {rest.closed_at ? (
        <>
          Closed <DateTime at={rest.closed_at} tenantId={tenant_id} /> by {rest.closed_by}. Its figures are final.
        </>
      ) : (
        'This month is open: its figures can still change.'
      )}{' '}
      The month begins and ends in the time zone {time_zone}.
    </p>
  </>
);

const amounts = ['opening', ...movementKinds, 'closing'] as const;
type Amount = (typeof amounts)[number];
type Sums = Record<Amount, number>;

/** Exact: in cents. */
const sumOf = (lines: readonly AccountLine[]): Sums =>
  Object.fromEntries(
    amounts.map((name) => [name, lines.reduce((sum, line) => sum + Math.round((line[name] ?? 0) * 100), 0) / 100]),
  ) as Sums;

/** The accounts with a sum for the players, one for the tenant, and both, which is always 0. */
function Accounts({ lines }: { lines: readonly AccountLine[] }) {
  const shown = amounts.filter(
    (name) => name === 'opening' || name === 'closing' || lines.some((line) => line[name] !== 0),
  );
  const players = lines.filter(isPlayers),
    tenant = lines.filter((line) => !isPlayers(line));
  const label = (name: Amount) =>
    name === 'opening' ? 'Opening' : name === 'closing' ? 'Closing' : movementLabels[name];
  const row = (name: string, sums: Sums, isSum: boolean) => (
    <tr key={name}>
      <th scope="row">{isSum ? <b>{name}</b> : name}</th>
      {shown.map((column) => (
        <td
          key={column}
          className={sums[column] === 0 && column !== 'opening' && column !== 'closing' ? 'number nothing' : 'number'}
          data-label={label(column)}
        >
          {isSum ? (
            <b>
              <Money amount={sums[column]} />
            </b>
          ) : (
            <Money amount={sums[column]} />
          )}
        </td>
      ))}
    </tr>
  );
  const onGames = lines.find(({ account }) => account === 'platform')?.closing ?? 0;
  const line = (one: AccountLine) => row(accountLabels[one.account as LedgerAccount] ?? one.account, one, false);
  return (
    <>
      <TableFrame label="Accounts">
        <table className="stack">
          <thead>
            <tr>
              <th>Account</th>
              {shown.map((name) => (
                <th key={name} className="number">
                  {label(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {players.map(line)}
            {row('Players', sumOf(players), true)}
            {tenant.map(line)}
            {row('Tenant', sumOf(tenant), true)}
            {row('Both', sumOf(lines), true)}
          </tbody>
        </table>
      </TableFrame>
      {onGames < 0 && (
        <p>
          On game platforms is below zero: players have brought back <Money amount={-onGames} /> more than they took
          there.
        </p>
      )}
    </>
  );
}

/** How many movements there were of each kind, and how much they moved. */
const Kinds = ({ statement: { kinds } }: { statement: MonthStatement }) => (
  <>
    <h3>Movements</h3>
    <TableFrame label="Movements">
      <table>
        <thead>
          <tr>
            <th>Kind</th>
            <th className="number">Movements</th>
            <th className="number">Amount</th>
          </tr>
        </thead>
        <tbody>
          {movementKinds.flatMap((kind) => {
            const found = kinds.find((one) => one.kind === kind);
            if (!found) return [];
            return [
              <tr key={kind}>
                <th scope="row">{movementLabels[kind as MovementKind]}</th>
                <td className="number">{formatCount(found.transfers)}</td>
                <td className="number">
                  <Money amount={found.amount} />
                </td>
              </tr>,
            ];
          })}
          {kinds.length === 0 && (
            <tr className="note">
              <td colSpan={3}>No movements this month.</td>
            </tr>
          )}
        </tbody>
      </table>
    </TableFrame>
  </>
);
