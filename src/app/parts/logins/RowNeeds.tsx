import { balanceKinds, MASK } from '../../../contract/constants';
import { orDash } from '../../api/parse';
import { useCall } from '../../hooks/useCall';
import { useApi } from '../../state/session';
import { STILL_WAITING } from '../../state/toasts';
import { Button } from '../../ui/Button';
import { balanceLabels } from '../../ui/balanceLabels';
import { DateTime } from '../../ui/DateTime';
import { formatPlatform } from '../../ui/formatPlatform';
import { Money } from '../../ui/Money';
import { PlainFigures } from '../../ui/PlainFigures';
import { CopyButton } from '../CopyButton';
import { CopyPassword } from './CopyPassword';
import { OpenPanel } from './OpenPanel';

/** What staff look up before they decide a row: the player's login at the platform, the wallet, the last movements. */
export function RowNeeds({ id, playerId }: { id: number; playerId: number | null | undefined }) {
  const api = useApi();
  const { data, failed, slow, busy, reload } = useCall(api.getRowNeeds, { id }, 'Failed to look up the player');
  if (!data)
    return (
      <span role={failed ? 'alert' : 'status'}>
        {failed ? 'Could not be loaded. ' : slow ? STILL_WAITING : 'Loading…'}
        {failed && (
          <Button disabled={busy} onClick={() => void reload()}>
            Retry
          </Button>
        )}
      </span>
    );
  const { platform, login, panel_url, movements } = data;
  return (
    <>
      <div className="bar">
        <span>
          Login{platform && ` at ${formatPlatform(platform)}`}:{' '}
          <b>{login ? orDash(login.platform_username) : 'None'}</b>{' '}
          <CopyButton what="Username" text={login?.platform_username} shortcut="c" />
        </span>
        {login?.platform_password && (
          <span>
            Password: {MASK} {playerId && <CopyPassword playerId={playerId} login={login} />}
          </span>
        )}
        <OpenPanel url={panel_url} shortcut="o" />
      </div>
      <PlainFigures
        of={([...balanceKinds, 'held'] as const).map((kind) => [label(kind), data[`${kind}_balance`]] as const)}
      />
      {movements.map((one) => (
        <div key={one.id}>
          <DateTime at={one.created_at} />, {one.transaction_type}: <Money amount={one.amount} /> from{' '}
          {label(one.from_account)} to {label(one.to_account)}
        </div>
      ))}
    </>
  );
}

const labels: Record<string, string> = {
  ...balanceLabels,
  cash_in: 'payments',
  cash_out: 'payouts',
  platform: 'the platform',
};
const label = (account: string) => labels[account] ?? account;
