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
import { useCall } from '../../hooks/useCall';
import { detailOr } from '../../hooks/useErrorToast';
import { downloadFile } from '../../parts/downloadFile';
import { ProfitTable } from '../../parts/profit/ProfitTable';
import { useFeature, useMay } from '../../state/session';
import { useDialogApi } from '../../state/useDialogApi';
import { Button } from '../../ui/Button';
import { DateTime } from '../../ui/DateTime';
import { CloseButton, Dialog } from '../../ui/Dialog';
import { formatCount } from '../../ui/formatCount';
import { Money, usd } from '../../ui/Money';
import { TableFrame } from '../../ui/TableFrame';
import { Waiting } from '../../ui/Waiting';
import { MonthFigures } from './MonthFigures';
import { printAlone } from './printAlone';

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
  const statement = useCall(api.getStatement, { tenant_id: tenantId, month }, 'Failed to fetch the statement');
  const save = useAction(
    async (_: null) =>
      downloadFile(await api.exportStatement({ tenant_id: tenantId, month }), `statement-${tenantId}-${month}.csv`),
    { done: null, failed: detailOr('Failed to export the statement') },
  );
  const { data } = statement;
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
        <Waiting for={statement} />
      )}
      <footer>
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

const sumOf = (lines: readonly AccountLine[]): Sums =>
  Object.fromEntries(
    amounts.map((name) => [name, lines.reduce((sum, line) => sum + Math.round((line[name] ?? 0) * 100), 0) / 100]),
  ) as Sums;

/** What each account had, what moved and what it has now: those of the players, and the tenant's, which add up to 0. */
function Accounts({ lines }: { lines: readonly AccountLine[] }) {
  const moved = movementKinds.filter((kind) => lines.some((line) => line[kind] !== 0));
  const both = sumOf(lines),
    off = amounts.filter((name) => both[name] !== 0);
  const onGames = lines.find(({ account }) => account === 'platform')?.closing ?? 0;
  return (
    <>
      <Side name="Players" lines={lines.filter(isPlayers)} moved={moved} />
      <Side name="Tenant" lines={lines.filter((line) => !isPlayers(line))} moved={moved} />
      {off.length === 0 ? (
        <p>Players and tenant add up to {usd(0)} in every line.</p>
      ) : (
        <p role="alert">
          Players and tenant do not add up: {off.map((name) => `${lineName(name)} ${usd(both[name])}`).join(', ')}
        </p>
      )}
      {onGames < 0 && (
        <p>
          On game platforms is below zero: players have brought back <Money amount={-onGames} /> more than they took
          there.
        </p>
      )}
    </>
  );
}

function Side({ name, lines, moved }: { name: string; lines: readonly AccountLine[]; moved: readonly MovementKind[] }) {
  const sums = sumOf(lines);
  const row = (column: Amount, isBalance = false) => {
    const cell = (account: string, amount: number) => (
      <td key={account} className={amount || isBalance ? 'number' : 'number none'} data-label={account}>
        {isBalance || account === name ? (
          <b>
            <Money amount={amount} />
          </b>
        ) : (
          <Money amount={amount} />
        )}
      </td>
    );
    return (
      <tr key={column}>
        <th scope="row">{isBalance ? <b>{lineName(column)}</b> : lineName(column)}</th>
        {lines.map((line) => cell(labelOf(line), line[column] ?? 0))}
        {cell(name, sums[column])}
      </tr>
    );
  };
  return (
    <TableFrame label={`Accounts of ${name === 'Players' ? 'players' : 'the tenant'}`}>
      <table className="stack">
        <thead>
          <tr>
            <th>Line</th>
            {[...lines.map(labelOf), name].map((account) => (
              <th key={account} className="number">
                {account}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {row('opening', true)}
          {moved.map((kind) => row(kind))}
          {row('closing', true)}
        </tbody>
      </table>
    </TableFrame>
  );
}

const lineName = (name: Amount) =>
  name === 'opening' ? 'Opening' : name === 'closing' ? 'Closing' : movementLabels[name];

const labelOf = ({ account }: AccountLine) => accountLabels[account as LedgerAccount] ?? account;

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
