import { type RefObject, useState } from 'react';
import { mayEnter } from '../../contract/rules';
import { parseLogin } from '../api/parse';
import { useSession } from '../state/session';
import { useDialogApi } from '../state/useDialogApi';
import { hasPasskeys, signWithPasskey, whyNoPasskey } from './passkey';

/**
 * Below the login of a server where people have passkeys: signs in with one, alone, or in place of the code that was
 * asked for.
 */
export function PasskeySignIn({ form }: { form: RefObject<HTMLFormElement | null> }) {
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
      const answer = parseLogin(await api.finishPasskey({ body: await signWithPasskey(asked) }));
      if (answer && mayEnter(answer.user)) return signIn(answer.token, answer.user);
      setMessage('Not an admin or super admin.');
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
