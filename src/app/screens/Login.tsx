import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { Credentials } from '../../contract/entities';
import { mayEnter } from '../../contract/rules';
import { type Api, ApiError } from '../api/client';
import { isObject, parseLogin, type StoredUser } from '../api/parse';
import { useSession } from '../state/session';
import { endedAt } from '../state/storage';
import { sayWhenSlow, useToast } from '../state/toasts';
import { APP_TITLE } from '../ui/appTitle';
import { Field } from '../ui/Field';

const FOREIGN = 'Access denied: You can only access your own tenant.';
const NOT_STAFF = 'Not an admin or super admin.';
const REFUSED = 'Invalid credentials or not an admin.';

type Refusal = { message: string; asksCode?: boolean | undefined; isDown?: boolean };
type Outcome = { token: string; user: StoredUser } | Refusal;

/**
 * The two steps of signing in (docs/product.md, "Sign-in and sessions"): the general login, then the one of the
 * user's own tenant, unless it is a super admin or no e-mail. A server that asks for a code sends its own message.
 */
async function signInSteps(api: Pick<Api, 'login' | 'loginToTenant'>, body: Credentials): Promise<Outcome> {
  let isTenantStep = false;
  try {
    const answer: unknown = await api.login({ body }),
      first = parseLogin(answer);
    if (!first) return { message: describeUnread(answer) };
    if (!mayEnter(first.user)) return { message: NOT_STAFF };
    if (first.user.role.is_super_admin || !body.email.includes('@')) return first;

    isTenantStep = true;
    if (first.user.tenant_id === null) return { message: FOREIGN };
    const second = parseLogin(await api.loginToTenant({ tenant_id: first.user.tenant_id, body }));
    if (!second) return { message: FOREIGN };
    return mayEnter(second.user) ? second : { message: NOT_STAFF };
  } catch (error) {
    return describeRefusal(error, isTenantStep);
  }
}

function describeRefusal(error: unknown, isTenantStep: boolean): Refusal {
  const { status, code, asksCode, detail }: Partial<ApiError> = error instanceof ApiError ? error : {};
  if (asksCode || code === 'network' || code === 'sso') return { message: detail ?? REFUSED, asksCode };
  return { message: isTenantStep || status === 403 ? FOREIGN : REFUSED, isDown: status === 0 };
}

/** Of an answer that cannot be read: whether it has a user without a role. */
const describeUnread = (answer: unknown): string =>
  isObject(answer) && answer.access_token && isObject(answer.user) && !isObject(answer.user.role) ? NOT_STAFF : REFUSED;

/** Whether the page was opened by a link to choose a password, from an e-mail. */
export const hasPasswordLink = (): boolean => location.hash.startsWith('#password=');

/** Whether it is the address of a single sign-on, there and back, in a page that says that the server has it. */
export const isSsoAddress = (): boolean =>
  'sso' in document.documentElement.dataset && /\/sso\/\d+$/.test(location.pathname);

/** The login screen. The texts are in the inputs only, so that hydration keeps what was typed before. */
export function Login() {
  const { api, signIn } = useSession();
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const [message, setMessage] = useState('');
  const [codeRequests, setCodeRequests] = useState(0);
  const loginForm = useRef<HTMLFormElement>(null);
  const [help, setHelp] = useState<typeof import('../parts/LoginHelp')>();
  useEffect(() => {
    void import('../parts/LoginHelp').then(setHelp);
    const { classList } = document.documentElement;
    if (classList.contains('submitted')) loginForm.current?.requestSubmit(); // submitted before hydration
    classList.remove('submitted');
    if (endedAt()) setMessage('Your session has ended. Sign in again to continue where you were.');
  }, []);
  const [missing, setMissing] = useState({ email: false, password: false });

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const form = event.currentTarget;
    const input = (name: string) => form.querySelector<HTMLInputElement>(`[name=${name}]`);
    const email = input('email')?.value.trim() ?? '',
      password = input('password')?.value ?? '';
    setMissing({ email: email === '', password: password === '' });
    setMessage('');
    if (email === '' || password === '') {
      input(email === '' ? 'email' : 'password')?.focus();
      return;
    }
    setBusy(true);
    const answered = sayWhenSlow(toast);
    const code = input('code')?.value;
    const outcome = await signInSteps(api, { email, password, ...(code && { code }) });
    answered();
    setBusy(false);
    if ('token' in outcome) signIn(outcome.token, outcome.user);
    else {
      setMessage(outcome.message);
      if (outcome.isDown) toast.info('The server cannot be reached.');
      if (outcome.asksCode) setCodeRequests(codeRequests + 1);
    }
  }

  return (
    <main className="login" id="main">
      <h1>{APP_TITLE}</h1>
      <form ref={loginForm} noValidate method="post" aria-busy={busy} onSubmit={(event) => void submit(event)}>
        <Field
          label="Email"
          type="email"
          name="email"
          required
          autoComplete="username"
          error={missing.email ? 'Email is required' : undefined}
        />
        <Field
          label="Password"
          type="password"
          name="password"
          required
          autoComplete="current-password"
          error={missing.password ? 'Password is required' : undefined}
        />
        {codeRequests > 0 && (
          <Field
            key={codeRequests}
            label="Code"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            autoFocus
          />
        )}
        <p role="alert" className="error">
          {message}
        </p>
        <button disabled={busy}>Login</button>
      </form>
      {help && <help.LoginHelp form={loginForm} hasLink={hasPasswordLink()} describeUnread={describeUnread} />}
    </main>
  );
}
