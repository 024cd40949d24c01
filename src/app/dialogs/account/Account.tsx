import { useEffect, useState } from 'react';
import type { Answer } from '../../../contract/calls';
import type { OwnSession } from '../../../contract/entities';
import { VERSION } from '../../../contract/version';
import { orDash } from '../../api/parse';
import { useCall } from '../../hooks/useCall';
import { detailOr } from '../../hooks/useErrorToast';
import type { Resource } from '../../hooks/useResource';
import { keyNames } from '../../parts/revokeKeys';
import { useAskedAction } from '../../parts/useAskedAction';
import { dropPrefetched } from '../../start/prefetch';
import { useApi, useFeature, useServerVersion, useSession } from '../../state/session';
import { saveSession } from '../../state/storage';
import { useDialogApi } from '../../state/useDialogApi';
import { APP_TITLE } from '../../ui/appTitle';
import { Button } from '../../ui/Button';
import { DataTable } from '../../ui/DataTable';
import { DateTime } from '../../ui/DateTime';
import { Dialog } from '../../ui/Dialog';
import { formatCountOf } from '../../ui/formatCount';
import { Waiting } from '../../ui/Waiting';
import { PasskeysPart } from './PasskeysPart';
import { PasswordPart } from './PasswordPart';
import { Enrolment, RecoveryCodes, TwoFactorPart } from './TwoFactorPart';

/** The user's own account, or only the two-factor set-up if it is required first. */
export function Account({ onClose }: { onClose: () => void }) {
  return useFeature('two_factor_setup') ? <MustSetUp onLeave={onClose} /> : <AccountDialog onClose={onClose} />;
}

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
      <p className="note-text">
        <small>
          Version {VERSION}
          {version && version !== VERSION && `, server ${version}`}
        </small>
      </p>
    </Dialog>
  );
}

/** The only page for an account that must set up two-factor sign-in first. After that the same session continues. */
function MustSetUp({ onLeave }: { onLeave: () => void }) {
  const { session, signIn } = useSession();
  const [done, setDone] = useState<Answer<'confirmTwoFactor'> | null>(null);
  useEffect(() => {
    document.title = APP_TITLE;
    dropPrefetched(); // the server refuses every call before the set-up
  }, []);
  /** Saved at once, so that a reload does not ask for the set-up again. */
  function keep(answer: Answer<'confirmTwoFactor'>) {
    if (session.user) saveSession(session.token, { ...session.user, features: answer.features });
    setDone(answer);
  }
  const continueToApp = () => {
    if (done && session.user) signIn(session.token, { ...session.user, features: done.features });
  };

  return (
    <main className="login" id="main">
      <h1>Two-factor sign-in</h1>
      {done ? (
        <RecoveryCodes codes={done.recovery_codes} submit="Continue" onSaved={continueToApp} />
      ) : (
        <>
          <p>
            Two-factor sign-in is required for your account. Set it up to continue.
            {'passkeys' in document.documentElement.dataset && ' If you have a passkey, log out and sign in with it.'}
          </p>
          <Enrolment onDone={keep} />
        </>
      )}
      {!done && <Button onClick={onLeave}>Logout</Button>}
    </main>
  );
}

const sessionColumns = ['Signed in', 'Last seen', 'Address', 'Browser', 'Actions'];

function SessionsPart({ sessions }: { sessions: Resource<OwnSession[]> }) {
  const api = useDialogApi();
  const own = sessions.data?.filter(({ is_current }) => is_current);
  const others = sessions.data?.filter(({ is_current }) => !is_current) ?? [];
  const endOthers = useAskedAction(api.endOtherSessions, {
    done: 'All other sessions ended',
    failed: detailOr('Failed to end the sessions'),
    onDone: sessions.reload,
    question: 'Sign out other sessions?',
    about: `${formatCountOf(others.length, 'session')}: ${others.map(describe).join('; ')}`,
    submit: 'Sign out',
    hasNoReason: true,
  });

  return (
    <section aria-label="Sessions">
      <h3>Sessions</h3>
      <DataTable label="Your sessions" heads={sessionColumns} of={{ ...sessions, data: own?.concat(others) }}>
        {(session) => <SessionRow key={session.id} session={session} reload={sessions.reload} />}
      </DataTable>
      <Button disabled={endOthers.busy || others.length === 0} onClick={() => void endOthers.ask({})}>
        Sign out other sessions
      </Button>
      {endOthers.dialog}
    </section>
  );
}

const describe = ({ browser, address }: OwnSession) => `${orDash(browser)}, ${orDash(address)}`;

function SessionRow({ session, reload }: { session: OwnSession; reload: () => Promise<void> }) {
  const api = useDialogApi();
  const end = useAskedAction(api.endSession, {
    done: 'Session ended',
    failed: detailOr('Failed to end the session'),
    onDone: reload,
    question: 'End this session?',
    about: describe(session),
    submit: 'End',
    hasNoReason: true,
  });
  return (
    <tr>
      <td data-label="Signed in">
        <DateTime at={session.created_at} />
      </td>
      <td data-label="Last seen">
        <DateTime at={session.last_seen_at} />
      </td>
      <td>{orDash(session.address)}</td>
      <td>{orDash(session.browser)}</td>
      <td className="actions">
        {session.is_current ? (
          <span className="chip success">This session</span>
        ) : (
          <button type="button" className="danger" disabled={end.busy} onClick={() => void end.ask({ id: session.id })}>
            End
          </button>
        )}
        {end.dialog}
      </td>
    </tr>
  );
}
