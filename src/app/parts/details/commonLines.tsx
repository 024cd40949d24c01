import type { Redeem, Transaction } from '../../../contract/entities';
import { isOpen } from '../../../contract/rules';
import { toFieldText } from '../../api/parse';
import { useCall } from '../../hooks/useCall';
import { useApi } from '../../state/session';
import { DateTime } from '../../ui/DateTime';
import { EmailLink } from '../../ui/EmailLink';
import { usd } from '../../ui/Money';
import { formatStatus } from '../../ui/StatusSelect';
import type { Deciding } from '../queue/decision';
import { RowStatus } from '../queue/RowStatus';
import { TenantLink } from '../tenantColumn';
import { CopyableText } from './CopyableText';
import type { Line } from './Lines';

export type LineOptions = { isSpanning: boolean; hasView: boolean };
type Row = Transaction | Redeem;

export const whoseLines = (row: Row, { isSpanning, hasView }: LineOptions): Line[] => [
  ['ID', <CopyableText what="ID" text={row.id} />],
  [
    'User Email',
    <CopyableText what="Email" text={row.user_email}>
      <EmailLink email={row.user_email} playerId={row.player_id} />
    </CopyableText>,
  ],
  ['Name', row.user_name],
  ['Tenant', isSpanning && <TenantLink id={row.tenant_id} />],
  [
    'Player has now',
    hasView && isOpen(toFieldText(row.status)) && row.player_id && <PlayerBalance playerId={row.player_id} />,
  ],
];

export const whenLines = ({ initiated_at, completed_at, tenant_id }: Row): Line[] => [
  ['Initiated At', <DateTime at={initiated_at} tenantId={tenant_id} />],
  ['Completed At', completed_at && <DateTime at={completed_at} tenantId={tenant_id} />],
];

/** The status, which is decided here as in the list. The dialog then makes way for the list and its 'Undo'. */
export function statusLine<T extends Row>(row: T, decisions: Deciding<T>, onClose: () => void): Line {
  if (!isOpen(toFieldText(row.status))) return ['Status', formatStatus(row.status)];
  const onDecide: Deciding<T>['decide'] = (one, status) => {
    onClose();
    decisions.decide(one, status);
  };
  return ['Status', <RowStatus row={row} decision={decisions.planned.get(row.id)} decide={onDecide} />];
}

function PlayerBalance({ playerId }: { playerId: number }) {
  const api = useApi();
  const { data, failed } = useCall(api.getPlayer, { id: playerId }, null);
  if (!data) return failed ? 'Could not be loaded.' : 'Loading…';
  return `Credit ${usd(data.player.credit_balance)}, held ${usd(data.held_balance)}`;
}
