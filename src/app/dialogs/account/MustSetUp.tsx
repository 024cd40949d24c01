import { useEffect, useState } from 'react';
import type { Answer } from '../../../contract/calls';
import { dropPrefetched } from '../../start/prefetch';
import { useSession } from '../../state/session';
import { saveSession } from '../../state/storage';
import { APP_TITLE } from '../../ui/appTitle';
import { Button } from '../../ui/Button';
import { Enrolment, RecoveryCodes } from './TwoFactorPart';

/** The only page for an account that must set up two-factor sign-in first. After that the same session continues. */
export function MustSetUp({ onLeave }: { onLeave: () => void }) {
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
