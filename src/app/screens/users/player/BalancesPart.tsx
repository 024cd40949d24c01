import { useState } from 'react';
import { balanceKinds } from '../../../../contract/constants';
import type { LedgerLine, PlayerDetails } from '../../../../contract/entities';
import { orDash } from '../../../api/parse';
import { detailOr } from '../../../hooks/useErrorToast';
import { useResource } from '../../../hooks/useResource';
import { CursorPagination, useCursors } from '../../../parts/CursorPagination';
import { formatReason } from '../../../parts/formatReason';
import { useApi } from '../../../state/session';
import { DateTime } from '../../../ui/DateTime';
import { Money } from '../../../ui/Money';
import { Rows } from '../../../ui/Rows';
import { Select } from '../../../ui/Select';
import { TableFrame } from '../../../ui/TableFrame';
import { balanceLabels } from '../balances';

const accountLabels: Record<LedgerLine['account'], string> = { ...balanceLabels, held: 'Held' };
const accounts = [...balanceKinds, 'held'] as const;
const options = [
  { value: '', label: 'All accounts' },
  ...accounts.map((value) => ({ value, label: accountLabels[value] })),
];

/** The balances, and the ledger behind them: each movement with the balance after it and who made it. */
export function BalancesPart({ playerId, file }: { playerId: number; file: PlayerDetails | undefined }) {
  const api = useApi();
  const [account, setAccount] = useState<LedgerLine['account']>();
  const pages = useCursors(account),
    { cursor } = pages;
  const page = useResource(
    (signal) => api.getPlayerLedger({ id: playerId, account, cursor }, { signal }),
    [api, playerId, account, cursor],
    detailOr('Failed to fetch the ledger'),
  );
  const balances = file && {
    credit: file.player.credit_balance,
    bonus: file.player.bonus_balance,
    vip: file.player.vip_balance,
    loyalty: file.player.loyalty_balance,
    held: file.held_balance,
  };

  return (
    <>
      {balances && (
        <dl className="cards">
          {accounts.map((one) => (
            <div key={one}>
              <dt>{accountLabels[one]}</dt>
              <dd>
                <Money amount={balances[one]} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      <div className="bar">
        <Select
          label="Account"
          options={options}
          value={account ?? ''}
          onChange={({ target }) => setAccount(accounts.find((known) => known === target.value))}
        />
        <CursorPagination cursors={pages} page={page} />
      </div>
      <TableFrame label="Ledger">
        <table>
          <thead>
            <tr>
              <th>When</th>
              <th>Type</th>
              <th>Account</th>
              <th className="number">Amount</th>
              <th className="number">Balance after</th>
              <th>By</th>
              <th>Reason</th>
              <th>Reference</th>
            </tr>
          </thead>
          <Rows of={{ ...page, data: page.data?.lines }} span={8} empty="No entries yet.">
            {(line) => (
              <tr key={`${line.id}-${line.account}`}>
                <td>
                  <DateTime at={line.created_at} />
                </td>
                <td>{orDash(line.transaction_type)}</td>
                <td>{accountLabels[line.account] ?? orDash(line.account)}</td>
                <td className="number">
                  <Money amount={line.amount} signed />
                </td>
                <td className="number">
                  <Money amount={line.balance} />
                </td>
                <td>{line.by ?? 'Platform'}</td>
                <td>{formatReason(line)}</td>
                <td>{orDash(line.money_id)}</td>
              </tr>
            )}
          </Rows>
        </table>
      </TableFrame>
    </>
  );
}
