import { useEffect, useState } from 'react';
import type { Answer } from '../../../contract/calls';
import { useSession } from '../../state/session';
import { saveSession } from '../../state/storage';
import { dropPrefetched } from '../../start/prefetch';
import { APP_TITLE } from '../../ui/appTitle';
import { Enrolment } from './Enrolment';
import { RecoveryCodes } from './RecoveryCodes';

/** All that a session reaches whose account must have a second factor and has none. Done, the same session goes on to the screens. */
export function MustSetUp({ onLeave }: { onLeave: () => void }) {
  const { session, signIn } = useSession();
  const [done, setDone] = useState<Answer<'confirmTwoFactor'> | null>(null);
  useEffect(() => {
    document.title = APP_TITLE;
    dropPrefetched(); // it was refused, as every call is before the set-up
  }, []);
  /** Kept at once, so that a page loaded anew does not ask again for what is done. */
  function keep(answer: Answer<'confirmTwoFactor'>) {
    if (session.user) saveSession(session.token, { ...session.user, features: answer.features });
    setDone(answer);
  }
  const goOn = () => { if (done && session.user) signIn(session.token, { ...session.user, features: done.features }); };

  return (
    <main className="login" id="main">
      <h1>Two-factor sign-in</h1>
      {done ? <RecoveryCodes codes={done.recovery_codes} kept="Continue" onKept={goOn} /> : (
        <>
          <p>It is required for your account. Set it up to go on.</p>
          <Enrolment onDone={keep} />
        </>
      )}
      <button type="button" className="secondary" onClick={onLeave}>Logout</button>
    </main>
  );
}
