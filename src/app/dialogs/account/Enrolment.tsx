import { useState } from 'react';
import type { Answer } from '../../../contract/calls';
import type { TwoFactorSetup } from '../../../contract/entities';
import { useForm } from '../../hooks/useForm';
import { CodeField } from '../../parts/CodeField';
import { OwnPassword } from '../../parts/OwnPassword';
import { useFeature } from '../../state/session';
import { useDialogApi } from '../../state/useDialogApi';
import { Button } from '../../ui/Button';
import { FormError } from '../../ui/FormError';

/**
 * Turns on two-factor sign-in: asks for the password, shows a secret for the authenticator app, then asks for a code.
 */
export function Enrolment({ onDone }: { onDone: (answer: Answer<'confirmTwoFactor'>) => unknown }) {
  const api = useDialogApi();
  const isRequired = useFeature('two_factor_setup');
  const [setup, setSetup] = useState<TwoFactorSetup | null>(null);
  const form = useForm({
    initial: { password: '' },
    send: async (body, options) => setSetup(await api.setUpTwoFactor({ body }, options)),
    done: null,
    failed: 'Failed to set up two-factor sign-in',
  });
  if (setup) return <Confirmation setup={setup} startAgain={() => setSetup(null)} onDone={onDone} />;

  return (
    <form onSubmit={form.onSubmit}>
      <p>
        After your password you will be asked for a code from an authenticator app, so a stolen password is not enough.
      </p>
      <div className="grid">
        <OwnPassword label="Password" {...form.field('password')} />
      </div>
      <FormError reason={form.reason} />
      <div className="bar">
        <button disabled={form.busy} className={isRequired ? undefined : 'secondary'}>
          Set up
        </button>
      </div>
    </form>
  );
}

function Confirmation({
  setup: { secret, uri, qr },
  startAgain,
  onDone,
}: {
  setup: TwoFactorSetup;
  startAgain: () => void;
  onDone: (answer: Answer<'confirmTwoFactor'>) => unknown;
}) {
  const api = useDialogApi();
  const form = useForm({
    initial: { code: '' },
    send: async (body, options) => onDone(await api.confirmTwoFactor({ body }, options)),
    done: 'Two-factor sign-in is on',
    failed: 'Failed to turn on two-factor sign-in',
  });

  return (
    <form onSubmit={form.onSubmit}>
      <p>
        Scan this with an authenticator app, or <a href={uri}>open the app on this device</a>, and enter the code it
        shows.
      </p>
      <svg
        role="img"
        aria-label="QR code for the authenticator app"
        width="200"
        height="200"
        viewBox={`0 0 ${qr.size} ${qr.size}`}
        shapeRendering="crispEdges"
      >
        <rect width={qr.size} height={qr.size} fill="#fff" />
        <path d={qr.path} stroke="#000" />
      </svg>
      <p>
        Or type this key into the app:
        <br />
        <b>{secret.replace(/.{4}(?=.)/g, '$& ')}</b>
      </p>
      <CodeField required autoFocus {...form.field('code')} />
      <FormError reason={form.reason} />
      <div className="bar">
        <button disabled={form.busy}>Turn on</button>
        <Button onClick={startAgain}>Start again</Button>
      </div>
    </form>
  );
}
