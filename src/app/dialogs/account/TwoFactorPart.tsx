import { useEffect, useRef, useState } from 'react';
import type { Answer } from '../../../contract/calls';
import type { Account, TwoFactorSetup } from '../../../contract/entities';
import { useForm } from '../../hooks/useForm';
import { CodeField } from '../../parts/CodeField';
import { OwnPassword } from '../../parts/OwnPassword';
import { SaveOnce } from '../../parts/SaveOnce';
import { useFeature } from '../../state/session';
import { useDialogApi } from '../../state/useDialogApi';
import { Button } from '../../ui/Button';
import { DateTime } from '../../ui/DateTime';
import { FormError } from '../../ui/FormError';

/** Turns two-factor sign-in on, renews the recovery codes, and turns it off unless it is required. */
export function TwoFactorPart({ account, onChanged }: { account: Account; onChanged: () => Promise<unknown> }) {
  const [codes, setCodes] = useState<string[] | null>(null);
  return (
    <section aria-label="Two-factor sign-in">
      <h3>Two-factor sign-in</h3>
      {codes ? (
        <RecoveryCodes codes={codes} onSaved={() => setCodes(null)} />
      ) : account.has_two_factor ? (
        <TwoFactorIsOn account={account} onChanged={onChanged} onCodes={setCodes} />
      ) : (
        <Enrolment
          onDone={async ({ recovery_codes }) => {
            setCodes(recovery_codes);
            await onChanged();
          }}
        />
      )}
    </section>
  );
}

type TwoFactorIsOnProps = { account: Account; onChanged: () => Promise<unknown>; onCodes: (codes: string[]) => void };
function TwoFactorIsOn({ account, onChanged, onCodes }: TwoFactorIsOnProps) {
  const api = useDialogApi();
  const form = useForm({
    initial: { password: '', code: '', turnsOff: false },
    async send({ turnsOff, ...body }, options) {
      if (turnsOff) await api.turnOffTwoFactor({ body }, options);
      else onCodes((await api.renewRecoveryCodes({ body }, options)).recovery_codes);
      return turnsOff;
    },
    done: (isOff) => (isOff ? 'Two-factor sign-in is off' : 'New recovery codes created'),
    failed: (_, { turnsOff }) => `Failed to ${turnsOff ? 'turn off two-factor sign-in' : 'create new recovery codes'}`,
    reload: onChanged,
  });

  return (
    <form onSubmit={form.onSubmit}>
      <p>
        On since <DateTime at={account.two_factor_at} />. Recovery codes left: {account.recovery_codes_left}.
        {account.must_have_two_factor && ' It is required for this account.'}
      </p>
      <div className="grid">
        <OwnPassword label="Password" hasTwoFactor {...form.field('password')} code={form.field('code')} />
      </div>
      <FormError reason={form.reason} />
      <div className="bar">
        <button disabled={form.busy} className="secondary">
          New recovery codes
        </button>
        {!account.must_have_two_factor && (
          <Button
            disabled={form.busy}
            onClick={({ currentTarget }) => {
              if (currentTarget.form?.reportValidity()) void form.submit({ turnsOff: true });
            }}
          >
            Turn off
          </Button>
        )}
      </div>
    </form>
  );
}

/** Turns on two-factor sign-in: asks for the password, shows a secret for the app, then asks for a code. */
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

interface ConfirmationProps {
  setup: TwoFactorSetup;
  startAgain: () => void;
  onDone: (answer: Answer<'confirmTwoFactor'>) => unknown;
}
function Confirmation({ setup: { secret, uri, qr }, startAgain, onDone }: ConfirmationProps) {
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

type RecoveryCodesProps = { codes: string[]; submit?: string; onSaved: () => void };
/** The recovery codes, shown once. They take the focus, because the button that had it is gone. */
export function RecoveryCodes({ codes, submit = 'I have saved them', onSaved }: RecoveryCodesProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => list.current?.focus(), []);

  return (
    <>
      <p>
        Store these codes somewhere other than your phone. Each can be used once to sign in.{' '}
        <b>They will not be shown again.</b>
      </p>
      <div className="field">
        <ul ref={list} tabIndex={-1} className="chips" aria-label="Recovery codes">
          {codes.map((code) => (
            <li key={code} className="chip number">
              {code}
            </li>
          ))}
        </ul>
      </div>
      <SaveOnce what="Recovery codes" text={codes.join('\n')} file="recovery-codes.txt" {...{ submit, onSaved }} />
    </>
  );
}
