import { type RefObject, useState } from 'react';
import { mayEnter } from '../../contract/rules';
import { parseLogin } from '../api/parse';
import { useSession } from '../state/session';
import { useDialogApi } from '../state/useDialogApi';
import { hasPasskeys, signWithPasskey, whyNoPasskey } from './passkey';

interface Props {
  form: RefObject<HTMLFormElement | null>;
  /** What to say of an answer that nobody can be signed in with. */
  describeUnread: (answer: unknown) => string;
}
/** Below the login of a server with passkeys: signs in with one, alone, or in place of the code that was asked for. */
export function PasskeySignIn({ form, describeUnread }: Props) {
  const api = useDialogApi(),
    { signIn } = useSession();
  const [busy, setBusy] = useState(false);
  const [message, setMessage] = useState('');
  if (!hasPasskeys()) return null;

  async function run() {
    const find = (name: string) => form.current?.querySelector<HTMLInputElement>(`[name=${name}]`);
    const typed = { email: find('email')?.value.trim() ?? '', password: find('password')?.value ?? '' };
    setMessage('');
    setBusy(true);
    try {
      const asked = await api.beginPasskey({ body: find('code') && typed.password ? typed : {} });
      const answer: unknown = await api.finishPasskey({ body: await signWithPasskey(asked) }),
        session = parseLogin(answer);
      if (session && mayEnter(session.user)) return signIn(session.token, session.user);
      setMessage(session ? 'Not an admin or super admin.' : describeUnread(answer));
    } catch (error) {
      setMessage(whyNoPasskey('Failed to sign in with a passkey')(error));
    }
    setBusy(false);
  }

  return (
    <>
      <p role="alert" className="error">
        {message}
      </p>
      <button type="button" className="secondary" disabled={busy} onClick={() => void run()}>
        Use a passkey
      </button>
    </>
  );
}
