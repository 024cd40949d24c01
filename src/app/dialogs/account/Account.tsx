import { VERSION } from '../../../contract/version';
import { useCall } from '../../hooks/useCall';
import { detailOr } from '../../hooks/useErrorToast';
import { keyNames } from '../../parts/revokeKeys';
import { useApi, useFeature, useServerVersion } from '../../state/session';
import { useDialogApi } from '../../state/useDialogApi';
import { Dialog } from '../../ui/Dialog';
import { Waiting } from '../../ui/Waiting';
import { MustSetUp } from './MustSetUp';
import { PasskeysPart } from './PasskeysPart';
import { PasswordPart } from './PasswordPart';
import { SessionsPart } from './SessionsPart';
import { TwoFactorPart } from './TwoFactorPart';

/** The user's own account, or only the two-factor set-up if it is required first. */
export function Account({ onClose }: { onClose: () => void }) {
  return useFeature('two_factor_setup') ? <MustSetUp onLeave={onClose} /> : <AccountDialog onClose={onClose} />;
}

/** Password, two-factor sign-in, passkeys and sessions. */
function AccountDialog({ onClose }: { onClose: () => void }) {
  const api = useApi(),
    dialogs = useDialogApi();
  const hasPasskeys = useFeature('passkeys');
  const version = useServerVersion();
  const account = useCall(api.getAccount, {}, detailOr('Failed to fetch your account'));
  const sessions = useCall(dialogs.listSessions, {}, detailOr('Failed to fetch your sessions'));
  const passkeys = useCall(dialogs.listPasskeys, hasPasskeys ? {} : null, detailOr('Failed to fetch your passkeys'));
  const reload = () => Promise.all([account.reload(), sessions.reload(), passkeys.reload()]);

  return (
    <Dialog title="Account" wide withClose onClose={onClose}>
      {account.data ? (
        <p>
          Signed in as <b>{account.data.email}</b>
        </p>
      ) : (
        <Waiting for={account} failure="Your account could not be loaded." />
      )}
      <PasswordPart
        email={account.data?.email}
        hasTwoFactor={account.data?.has_two_factor ?? false}
        apiKeys={keyNames(account.data?.api_keys)}
        passkeys={hasPasskeys ? passkeys.data?.map(({ name }) => name) : []}
        onChanged={reload}
      />
      {account.data && <TwoFactorPart account={account.data} onChanged={reload} />}
      {hasPasskeys && account.data && (
        <PasskeysPart hasTwoFactor={account.data.has_two_factor} passkeys={passkeys} onRemoved={sessions.reload} />
      )}
      <SessionsPart sessions={sessions} />
      <p>
        <small>
          Version {VERSION}
          {version && version !== VERSION && `, server ${version}`}
        </small>
      </p>
    </Dialog>
  );
}
