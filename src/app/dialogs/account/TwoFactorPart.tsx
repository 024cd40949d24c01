import { useState } from 'react';
import type { Account } from '../../../contract/entities';
import { useForm } from '../../hooks/useForm';
import { OwnPassword } from '../../parts/OwnPassword';
import { useDialogApi } from '../../state/useDialogApi';
import { Button } from '../../ui/Button';
import { DateTime } from '../../ui/DateTime';
import { FormError } from '../../ui/FormError';
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
