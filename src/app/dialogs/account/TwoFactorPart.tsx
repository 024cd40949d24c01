import { useState } from 'react';
import type { Account } from '../../../contract/entities';
import { useAction } from '../../hooks/useAction';
import { useFields } from '../../hooks/useFields';
import { CodeField } from '../../parts/CodeField';
import { FormError, useFormError } from '../../parts/FormError';
import { useApi } from '../../state/session';
import { DateTime } from '../../ui/DateTime';
import { Field } from '../../ui/Field';
import { Enrolment } from './Enrolment';
import { RecoveryCodes } from './RecoveryCodes';

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

function TwoFactorIsOn({
  account,
  onChanged,
  onCodes,
}: {
  account: Account;
  onChanged: () => Promise<unknown>;
  onCodes: (codes: string[]) => void;
}) {
  const api = useApi();
  const { values, field, reset } = useFields({ password: '', code: '' });
  const formError = useFormError();
  const renew = useAction(
    async () => {
      const { recovery_codes } = await api.renewRecoveryCodes({ body: values });
      onCodes(recovery_codes);
    },
    {
      done: 'New recovery codes created',
      failed: formError.withMessage('Failed to create new recovery codes'),
      onDone: onChanged,
    },
  );
  const turnOff = useAction(() => api.turnOffTwoFactor({ body: values }), {
    done: 'Two-factor sign-in is off',
    failed: formError.withMessage('Failed to turn off two-factor sign-in'),
    onDone: onChanged,
  });
  const isBusy = renew.busy || turnOff.busy;

  async function run(action: { run: (input: null) => Promise<boolean> }) {
    formError.clear();
    if (await action.run(null)) reset();
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void run(renew);
      }}
    >
      <p>
        On since <DateTime at={account.two_factor_at} />. Recovery codes left: {account.recovery_codes_left}.
        {account.must_have_two_factor && ' It is required for this account.'}
      </p>
      <div className="grid">
        <Field label="Password" type="password" required autoComplete="current-password" {...field('password')} />
        <CodeField required hint="From the app, or a recovery code" {...field('code')} />
      </div>
      <FormError error={formError} />
      <div className="bar">
        <button disabled={isBusy}>New recovery codes</button>
        {!account.must_have_two_factor && (
          <button
            type="button"
            className="secondary"
            disabled={isBusy}
            onClick={({ currentTarget }) => {
              if (currentTarget.form?.reportValidity()) void run(turnOff);
            }}
          >
            Turn off
          </button>
        )}
      </div>
    </form>
  );
}
