import { useState } from 'react';
import type { ProfitLine } from '../../../contract/entities';
import { profitParts } from '../../../contract/months';
import { useCall } from '../../hooks/useCall';
import { detailOr } from '../../hooks/useErrorToast';
import { useDialogApi } from '../../state/useDialogApi';
import { DataTable } from '../../ui/DataTable';
import { Dialog } from '../../ui/Dialog';
import { formatDay } from '../../ui/formatDay';
import { Money } from '../../ui/Money';
import { Select } from '../../ui/Select';

const partNames = { day: 'Day', platform: 'Platform', account: 'Account', cashier: 'Cashier' };
const amountNames = { purchases: 'Purchases', redeems: 'Redeems', fees: 'Fees', credits: 'Credits', profit: 'Profit' };
const amounts = ['purchases', 'redeems', 'fees', 'credits', 'profit'] as const;

const toMoney = (line: ProfitLine, name: (typeof amounts)[number]) => (
  <Money amount={line[name]} signed={name === 'profit'} />
);

interface ProfitOf {
  tenantId: number | undefined;
  from: string;
  to: string;
}

/** What a tenant has earned in some days: purchases less redeems, fees and what the credits had cost. */
export function ProfitTable({ tenantId, from, to }: ProfitOf) {
  const api = useDialogApi();
  const [by, setBy] = useState<(typeof profitParts)[number]>('day');
  const profit = useCall(api.getProfit, { tenant_id: tenantId, from, to, by }, detailOr('Failed to fetch the profit'));
  const { data } = profit;
  const all: ProfitLine | undefined = data && { name: 'All', ...data.total };
  return (
    <>
      <div className="bar">
        <Select
          label="Profit by"
          value={by}
          options={profitParts.map((value) => ({ value, label: partNames[value] }))}
          onChange={({ target }) => setBy(profitParts.find((part) => part === target.value) ?? 'day')}
        />
      </div>
      <DataTable
        label="Profit"
        heads={[partNames[by], ...amounts.map((name) => [amountNames[name], 'number'] as const)]}
        of={{ ...profit, data: data && all && [all, ...(by === 'day' ? data.lines.toReversed() : data.lines)] }}
      >
        {(line) => (
          <tr key={line === all ? 'all' : `of ${line.name}`}>
            <th scope="row" className="head">
              {line === all ? <b>All</b> : by === 'day' ? formatDay(line.name ?? '') : (line.name ?? 'None')}
            </th>
            {amounts.map((name) => (
              <td key={name} className={name === 'profit' ? 'number amount' : 'number'} data-label={amountNames[name]}>
                {line === all ? <b>{toMoney(line, name)}</b> : toMoney(line, name)}
              </td>
            ))}
          </tr>
        )}
      </DataTable>
      <p>
        Credits are what players took to games, at what they had cost.
        {by === 'platform' && ' Purchases belong to no platform.'}
        {!!data?.total.unpriced && ` ${data.total.unpriced.toLocaleString('en-US')} credits have no known cost.`}
      </p>
    </>
  );
}

export const ProfitDialog = ({ onClose, ...of }: ProfitOf & { onClose: () => void }) => (
  <Dialog title="Profit" wide withClose onClose={onClose}>
    <p>
      {formatDay(of.from)} to {formatDay(of.to)}
    </p>
    <ProfitTable {...of} />
  </Dialog>
);
