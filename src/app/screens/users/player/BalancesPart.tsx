import { useState } from 'react';
import { balanceKinds } from '../../../../contract/constants';
import type { LedgerLine } from '../../../../contract/entities';
import { orDash } from '../../../api/parse';
import { detailOr } from '../../../hooks/useErrorToast';
import { useResource } from '../../../hooks/useResource';
import { CursorPagination, useCursors } from '../../../parts/CursorPagination';
import { CopyableText } from '../../../parts/details/CopyableText';
import { formatReason } from '../../../parts/formatReason';
import { useApi } from '../../../state/session';
import { balanceLabels } from '../../../ui/balanceLabels';
import { columnClass } from '../../../ui/columnClass';
import { DataTable } from '../../../ui/DataTable';
import { DateTime } from '../../../ui/DateTime';
import { Money } from '../../../ui/Money';
import { Select } from '../../../ui/Select';

const accounts = [...balanceKinds, 'held'] as const;
const options = [
  { value: '', label: 'All accounts' },
  ...accounts.map((value) => ({ value, label: balanceLabels[value] })),
];

/** The ledger behind the balances: each movement with the balance after it and who made it. */
export function BalancesPart({ playerId, changes }: { playerId: number; changes: number }) {
  const api = useApi();
  const [account, setAccount] = useState<LedgerLine['account']>();
  const pages = useCursors(account),
    { cursor } = pages;
  const page = useResource(
    (signal) => api.getPlayerLedger({ id: playerId, account, cursor }, { signal }),
    [api, playerId, account, cursor, changes],
    detailOr('Failed to fetch the ledger'),
  );

  return (
    <>
      <div className="bar">
        <Select
          label="Account"
          options={options}
          value={account ?? ''}
          onChange={({ target }) => setAccount(accounts.find((known) => known === target.value))}
        />
        <CursorPagination cursors={pages} page={page} />
      </div>
      <DataTable
        label="Ledger"
        className="stack player-ledger"
        heads={[
          'When',
          'Type',
          'Account',
          ['Amount', 'number'],
          ['Balance after', 'number'],
          'By',
          'Reason',
          'Reference',
        ]}
        of={{ ...page, data: page.data?.lines }}
        empty="No entries yet."
      >
        {(line) => (
          <tr key={`${line.id}-${line.account}`}>
            <td className="head">
              <DateTime at={line.created_at} />
            </td>
            <td className="type">{orDash(line.transaction_type)}</td>
            <td className="account">{balanceLabels[line.account] ?? orDash(line.account)}</td>
            <td className="number amount">
              <Money amount={line.amount} signed />
            </td>
            <td className="number after" data-label="Balance">
              <Money amount={line.balance} />
            </td>
            <td className="by">{line.by ?? 'Platform'}</td>
            <td className={columnClass('reason', formatReason(line))}>{formatReason(line)}</td>
            <td className={columnClass('reference', orDash(line.money_id))}>
              <CopyableText what="Reference" text={line.money_id} />
            </td>
          </tr>
        )}
      </DataTable>
    </>
  );
}
