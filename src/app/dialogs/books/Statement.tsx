import { useState } from 'react';
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
import { useCall } from '../../hooks/useCall';
import { ProfitTable } from '../../parts/profit/ProfitTable';
import { useFeature } from '../../state/session';
import { useDialogApi } from '../../state/useDialogApi';
import { Button } from '../../ui/Button';
import { DataTable } from '../../ui/DataTable';
import { DateTime } from '../../ui/DateTime';
import { formatCount } from '../../ui/formatCount';
import { Money, usd } from '../../ui/Money';
import { Waiting } from '../../ui/Waiting';
import { MonthFigures } from './MonthFigures';
import { PaperDialog } from './PaperDialog';

const endOfMonth = (month: string): string => {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
};

/** The statement of a month, as a page to print and as a CSV file. */
export function Statement({ tenantId, month, onClose }: { tenantId: number; month: string; onClose: () => void }) {
  const api = useDialogApi();
  const hasProfit = useFeature('shifts');
  const [isProfitShown, setProfitShown] = useState(false);
  const statement = useCall(api.getStatement, { tenant_id: tenantId, month }, 'Failed to fetch the statement');
  const { data } = statement;
  return (
    <PaperDialog
      title={`Statement of ${formatMonth(month)}`}
      isReady={!!data}
      fetchFile={() => api.exportStatement({ tenant_id: tenantId, month })}
      fileName={`statement-${tenantId}-${month}`}
      onClose={onClose}
    >
      {data ? (
        <>
          <Head statement={data} />
          <MonthFigures of={data} />
          <h3>Accounts</h3>
          <Accounts lines={data.accounts} />
          <h3>Movements</h3>
          <Kinds kinds={data.kinds} />
          {hasProfit && !isProfitShown && <Button onClick={() => setProfitShown(true)}>Show the profit</Button>}
          {isProfitShown && (
            <>
              <h3>Profit</h3>
              <ProfitTable tenantId={tenantId} from={`${month}-01`} to={endOfMonth(month)} />
            </>
          )}
        </>
      ) : (
        <Waiting for={statement} />
      )}
    </PaperDialog>
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

/** Rows that need not be fetched. */
const known = <T,>(data: T[]) => ({ data, busy: false, failed: false });

const lineNames = { opening: 'Opening', ...movementLabels, closing: 'Closing' };
type Amount = keyof typeof lineNames;
const amounts = Object.keys(lineNames) as Amount[];
type Sums = Record<Amount, number>;

const sumOf = (lines: readonly AccountLine[]): Sums =>
  Object.fromEntries(
    amounts.map((name) => [name, lines.reduce((sum, line) => sum + Math.round((line[name] ?? 0) * 100), 0) / 100]),
  ) as Sums;

/** What each account had, what moved and what it has now: those of the players, and the tenant's, which add up to 0. */
function Accounts({ lines }: { lines: readonly AccountLine[] }) {
  const both = sumOf(lines),
    off = amounts.filter((name) => both[name] !== 0);
  const onGames = lines.find(({ account }) => account === 'platform')?.closing ?? 0;
  return (
    <>
      <Side name="Players" lines={lines.filter(isPlayers)} />
      <p>The tenant's side has the opposite signs: what players received is below zero, what they gave is above.</p>
      <Side name="Tenant" lines={lines.filter((line) => !isPlayers(line))} />
      {off.length === 0 ? (
        <p>Players and tenant add up to {usd(0)} in every line.</p>
      ) : (
        <p role="alert">
          Players and tenant do not add up: {off.map((name) => `${lineNames[name]} ${usd(both[name])}`).join(', ')}
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

function Side({ name, lines }: { name: string; lines: readonly AccountLine[] }) {
  const moved = movementKinds.filter((kind) => lines.some((line) => line[kind] !== 0));
  const sums = sumOf(lines);
  return (
    <DataTable
      label={`Accounts of ${name === 'Players' ? 'players' : 'the tenant'}`}
      heads={['Line', ...[...lines.map(labelOf), name].map((account) => [account, 'number'] as const)]}
      of={known<Amount>(['opening', ...moved, 'closing'])}
    >
      {(line) => {
        const isBalance = line === 'opening' || line === 'closing';
        const Words = isBalance ? 'b' : 'span';
        const cell = (account: string, amount: number) => (
          <td key={account} className={amount || isBalance ? 'number' : 'number none'} data-label={account}>
            {amount || isBalance ? account === name ? <b>{usd(amount)}</b> : <Words>{usd(amount)}</Words> : '-'}
          </td>
        );
        return (
          <tr key={line}>
            <th scope="row">
              <Words>{lineNames[line]}</Words>
            </th>
            {lines.map((one) => cell(labelOf(one), one[line] ?? 0))}
            {cell(name, sums[line])}
          </tr>
        );
      }}
    </DataTable>
  );
}

const labelOf = ({ account }: AccountLine) => accountLabels[account as LedgerAccount] ?? account;

const Kinds = ({ kinds }: Pick<MonthStatement, 'kinds'>) => (
  <DataTable
    label="Movements"
    className=""
    heads={['Kind', ['Movements', 'number'], ['Amount', 'number']]}
    of={known(movementKinds.flatMap((kind) => kinds.find((one) => one.kind === kind) ?? []))}
    empty="No movements this month."
  >
    {({ kind, transfers, amount }) => (
      <tr key={kind}>
        <th scope="row">{movementLabels[kind as MovementKind]}</th>
        <td className="number">{formatCount(transfers)}</td>
        <td className="number">
          <Money amount={amount} />
        </td>
      </tr>
    )}
  </DataTable>
);
