import { type RefObject, useState } from 'react';
import { mountPath } from '../api/basePath';
import { detailOr } from '../hooks/useErrorToast';
import { useForm } from '../hooks/useForm';
import { useApi } from '../state/session';
import { Field } from '../ui/Field';
import { FormDialog } from '../ui/FormDialog';

const LINK = '#password=';

/** Below the login of a server that sends links by e-mail: asks for one, and chooses the password with it. */
export function MailLinks({ form }: { form: RefObject<HTMLFormElement | null> }) {
  const [open, setOpen] = useState<'link' | 'password' | null>(location.hash.startsWith(LINK) ? 'password' : null);
  return (
    <>
      <button type="button" className="secondary" onClick={() => setOpen('link')}>
        Forgot your password?
      </button>
      {open === 'link' && (
        <AskForLink email={form.current?.querySelector('input')?.value ?? ''} onClose={() => setOpen(null)} />
      )}
      {open === 'password' && <ChoosePassword token={location.hash.slice(LINK.length)} />}
    </>
  );
}

function AskForLink({ email, onClose }: { email: string; onClose: () => void }) {
  const api = useApi();
  const form = useForm({
    initial: { email },
    send: ({ email }) => api.askForPasswordLink({ body: { email } }),
    done: 'If there is an account that may have one, a link is on its way. It works once, for 30 minutes.',
    failed: detailOr('Failed to ask for a link'),
    onDone: onClose,
  });
  return (
    <FormDialog title="Forgot your password?" submit="Send a link" {...form.dialog} onClose={onClose}>
      <Field label="Email of the account" type="email" required autoComplete="username" {...form.field('email')} />
    </FormDialog>
  );
}

/** Somebody else may be signed in here, so the page is loaded again without the link: their app, or the login. */
function ChoosePassword({ token }: { token: string }) {
  const api = useApi();
  const leave = () => location.replace(`${mountPath()}/`);
  const form = useForm({
    initial: { password: '' },
    send: ({ password }) => api.choosePassword({ body: { token, new_password: password } }),
    done: null,
    failed: detailOr('Failed to save the password'),
    onDone: leave,
  });
  return (
    <FormDialog title="Choose a password" {...form.dialog} onClose={leave}>
      <Field
        label="New password"
        type="password"
        required
        minLength={8}
        autoComplete="new-password"
        hint={
          'At least 8 characters. Then sign in with it. All sessions and API keys of the account end; its passkeys ' +
          'are removed, unless they are its only second factor.'
        }
        {...form.field('password')}
      />
    </FormDialog>
  );
}
