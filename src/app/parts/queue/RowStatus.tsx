import { toFieldText } from '../../api/parse';
import { useRefusal } from '../../state/session';
import { StatusSelect } from '../../ui/StatusSelect';
import { type Deciding, type Decision, describe, type Item } from './decision';

/** The status of a row, to be decided by whoever may. */
export function RowStatus<Row extends Item>({
  row,
  decision,
  decide,
}: {
  row: Row;
  decision: Pick<Decision, 'status' | 'stage'> | undefined;
  decide: Deciding<Row>['decide'];
}) {
  const isBought = 'transaction_type' in row;
  const refusal = useRefusal(isBought ? 'queue' : 'payouts');
  const kind = isBought ? toFieldText(row.transaction_type) || '-' : 'redeem';
  return (
    <StatusSelect
      status={decision?.status ?? row.status}
      label={`Status of ${kind} ${row.id}, ${describe(row)}`}
      busy={decision?.stage === 'sending'}
      refusal={refusal}
      hold={row.payout_hold ? `Payouts on hold: ${row.payout_hold}` : row.approval?.refusal}
      onChange={(status) => decide(row, status)}
    />
  );
}
