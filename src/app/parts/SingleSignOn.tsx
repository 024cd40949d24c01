import { type RefObject, useEffect, useRef, useState } from 'react';
import type { SsoStart } from '../../contract/entities';
import { mayEnter } from '../../contract/rules';
import { mountPath } from '../api/basePath';
import { parseLogin } from '../api/parse';
import { detailOr } from '../hooks/useErrorToast';
import { useSession } from '../state/session';
import { endedAt } from '../state/storage';
import { useDialogApi } from '../state/useDialogApi';

type Step = Omit<SsoStart, 'return_to'>;

/**
 * Below the login of a server that has it: goes to the provider of the typed email, at a tenant's address at once.
 * Whoever is signed in elsewhere is asked first: another page may have led them there.
 */
export function SingleSignOn({ form }: { form: RefObject<HTMLFormElement | null> }) {
  const { session, signIn, api: signedIn } = useSession();
  const api = useDialogApi();
  const [message, setMessage] = useState('');
  const [busy, setBusy] = useState(false);
  const [leave, setLeave] = useState<() => void>();
  const isBegun = useRef(false);
  const root = `${mountPath()}/`;

  async function attempt(work: () => Promise<string | undefined>) {
    setBusy(true);
    setMessage('');
    setMessage((await work().catch(detailOr('Single sign-on has failed. Try again'))) ?? '');
    setBusy(false);
  }
  const begin = (step: Step, return_to: string) =>
    attempt(async () => {
      const { url } = await api.beginSso({ body: { ...step, return_to } });
      if (!url) return 'There is no single sign-on for this email. Sign in with your password.';
      location.assign(url);
      return undefined;
    });
  const finish = (tenant_id: number, query: string) =>
    attempt(async () => {
      const answer = await api.finishSso({ tenant_id, body: { query } });
      const next = parseLogin(answer);
      if (!next || !mayEnter(next.user)) return 'Not an admin or super admin.';
      if (session.token) await signedIn.logout({}).catch(() => undefined); // nobody would know that it goes on
      history.replaceState(null, '', answer.return_to);
      signIn(next.token, next.user);
      return undefined;
    });

  useEffect(() => {
    const tenant = Number(/\/sso\/(\d+)$/.exec(location.pathname)?.[1]);
    if (!tenant || isBegun.current) return;
    isBegun.current = true;
    const { search } = location;
    history.replaceState(null, '', root); // the code is of one use, and no address to keep
    const query = new URLSearchParams(search),
      again = query.get('again');
    const go = () => {
      setLeave(undefined);
      if (query.has('state')) void finish(tenant, search);
      else void begin({ tenant_id: tenant, again: again !== null }, again ?? root);
    };
    if (session.user && session.user.tenant_id !== tenant) setLeave(() => go);
    else go();
  });

  function beginTyped() {
    const input = form.current?.querySelector('input'),
      email = input?.value.trim();
    if (email) return void begin({ email }, endedAt() ?? location.pathname + location.search);
    setMessage('Enter your email first.');
    input?.focus();
  }
  return (
    <>
      {leave && (
        <p>
          You are signed in. <a href={root}>Stay as you are</a>{' '}
          <button type="button" disabled={busy} onClick={leave}>
            Leave {session.user?.email ?? 'this account'} for another one
          </button>
        </p>
      )}
      <button type="button" className="secondary" disabled={busy} onClick={beginTyped}>
        Single sign-on
      </button>
      <p role="status">{busy && 'Signing you in…'}</p>
      <p role="alert" className="error">
        {message}
      </p>
    </>
  );
}
