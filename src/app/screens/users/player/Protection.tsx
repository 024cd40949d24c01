import { useState } from 'react';
import type { Player, PlayerLimit, Protection as Protected } from '../../../../contract/entities';
import {
  type LimitedMoney,
  type LimitSpan,
  limitedMoney,
  limitSpans,
  RAISE_HOURS,
} from '../../../../contract/protection';
import { useCall } from '../../../hooks/useCall';
import { detailOr } from '../../../hooks/useErrorToast';
import { type Saving, useForm } from '../../../hooks/useForm';
import { CommandButton } from '../../../parts/CommandButton';
import { DialogButton } from '../../../parts/DialogButton';
import { useAskedAction } from '../../../parts/useAskedAction';
import { useMay } from '../../../state/session';
import { useDialogApi } from '../../../state/useDialogApi';
import { AmountField } from '../../../ui/AmountField';
import { DateTime } from '../../../ui/DateTime';
import { EmailLink } from '../../../ui/EmailLink';
import { Field } from '../../../ui/Field';
import { FormDialog } from '../../../ui/FormDialog';
import { formatDay } from '../../../ui/formatDay';
import { Money, usd } from '../../../ui/Money';
import { Select } from '../../../ui/Select';

const names: Record<LimitedMoney, string> = { purchase: 'Purchases', deposit: 'Deposits' };

/** The player's break and own limits, as they are and to be set. */
export function Protection({ player }: { player: Player }) {
  const api = useDialogApi();
  const maySet = useMay('support');
  const found = useCall(api.getProtection, { id: player.id }, detailOr("Failed to fetch the player's limits"));
  const now = found.data;
  if (!now) return null;
  const { exclusion, limits, linked = [] } = now;
  return (
    <>
      {exclusion && (
        <p>
          <span className="badge">On a break</span>{' '}
          {exclusion.until ? `until the end of ${formatDay(exclusion.until)}` : 'for good'}, since{' '}
          <DateTime at={exclusion.since} />, set by {exclusion.by}. No purchase, deposit or redeem is taken. Redeems
          that wait can be paid.
        </p>
      )}
      {limits.length > 0 && (
        <ul aria-label="Own limits">
          {limits.map((limit) => (
            <Limit key={limit.money + limit.span} limit={limit} />
          ))}
        </ul>
      )}
      {linked.length > 0 && <Linked player={player} linked={linked} mayUnlink={maySet} reload={found.reload} />}
      {maySet && (
        <p>
          <DialogButton
            isCommand
            className="secondary"
            dialog={(onClose) => <SetProtection {...{ player, now, onClose }} onSaved={found.reload} />}
          >
            Break and limits
          </DialogButton>
        </p>
      )}
    </>
  );
}

function Limit({ limit: { money, span, amount, next_amount, next_at, used, since, by } }: { limit: PlayerLimit }) {
  const next = next_amount === null ? 'no limit' : usd(next_amount);
  return (
    <li>
      {names[money]} a {span}: <Money amount={used} /> of {amount === null ? 'any amount' : usd(amount)}
      {next_at && (
        <>
          , {next} from <DateTime at={next_at} />
        </>
      )}
      , set by {by} <DateTime at={since} />
    </li>
  );
}

type Lasts = '' | 'day' | 'good';
type Typed = { lasts: Lasts; until: string } & Record<`${LimitedMoney}_${LimitSpan}`, string>;

const pairs = limitedMoney.flatMap((money) =>
  limitSpans.map((span) => ({ money, span, key: `${money}_${span}` as const })),
);

/** What was wished last: a raise that waits is kept, not taken back. */
function initialOf({ exclusion, limits }: Protected): Typed {
  const wished = ({ amount, next_amount, next_at }: PlayerLimit) => (next_at ? next_amount : amount);
  const amounts = pairs.map(({ money, span, key }) => {
    const known = limits.find((one) => one.money === money && one.span === span);
    return [key, String((known && wished(known)) ?? '')];
  });
  const lasts = exclusion ? (exclusion.until ? 'day' : 'good') : '';
  return { lasts, until: exclusion?.until ?? '', ...Object.fromEntries(amounts) } as Typed;
}

type SetProtectionProps = Saving & { player: Player; now: Protected };
function SetProtection({ player, now, onSaved, onClose }: SetProtectionProps) {
  const api = useDialogApi();
  const [initial] = useState(() => initialOf(now));
  const form = useForm({
    initial,
    check: ({ lasts, until }) => lasts !== 'day' || until !== '',
    send({ lasts, until, ...amounts }, options) {
      const isChanged = lasts !== initial.lasts || (lasts === 'day' && until !== initial.until);
      const limits = pairs
        .filter(({ key }) => amounts[key].trim() !== initial[key])
        .map(({ money, span, key }) => ({ money, span, amount: amounts[key].trim() || null }));
      const exclusion = lasts ? { until: lasts === 'day' ? until : null } : null;
      return api.saveProtection({ id: player.id, body: { ...(isChanged && { exclusion }), limits } }, options);
    },
    done: 'Saved',
    failed: detailOr('Failed to save the break and limits'),
    reload: onSaved,
    onDone: onClose,
  });
  const { lasts } = form.values;
  const lacksDay = lasts === 'day' && !form.values.until;
  return (
    <FormDialog
      title="Break and limits"
      {...form.dialog}
      disabled={lacksDay}
      hint={lacksDay ? 'Choose the last day of the break.' : undefined}
      onClose={onClose}
    >
      <p>{player.email}. Set these as the player wishes.</p>
      <Select
        label="Break"
        value={lasts}
        options={[
          { value: '', label: 'None' },
          { value: 'day', label: 'Until the end of a day' },
          { value: 'good', label: 'For good' },
        ]}
        onChange={({ target }) => form.set({ lasts: target.value as Lasts })}
      />
      {lasts === 'day' && <Field label="Last day" type="date" required {...form.field('until')} />}
      {lasts && <p>It starts at once and can be made longer, not shorter.</p>}
      <fieldset>
        <legend>Limits in dollars (blank: none)</legend>
        {limitedMoney.map((money) => (
          <div className="grid" key={money}>
            {limitSpans.map((span) => (
              <AmountField
                key={span}
                label={`${names[money]} a ${span}`}
                min={0}
                step="any"
                {...form.field(`${money}_${span}`)}
              />
            ))}
          </div>
        ))}
      </fieldset>
      <p>A lower limit counts at once. A higher one, or none, counts after {RAISE_HOURS} hours.</p>
    </FormDialog>
  );
}

type LinkedProps = { player: Player; linked: Protected['linked']; mayUnlink: boolean; reload: () => Promise<unknown> };
function Linked({ player, linked, mayUnlink, reload }: LinkedProps) {
  const api = useDialogApi();
  const { id, email } = player;
  const unlink = useAskedAction(api.unlinkPlayer, {
    done: 'Unlinked',
    failed: detailOr('Failed to unlink'),
    onDone: reload,
    question: 'Unlink this user?',
    about: <p>{email} no longer shares breaks and limits with the others.</p>,
    submit: 'Unlink',
    isExtra: true,
  });
  return (
    <>
      <p>
        Linked with{' '}
        {linked.map(({ id, email, is_on_break }, n) => (
          <span key={id}>
            {n > 0 && ', '}
            <EmailLink email={email} playerId={id} />
            {is_on_break && ' (on a break)'}
          </span>
        ))}
        . A break of one stops all. What all buy and deposit counts against each limit.
      </p>
      {mayUnlink && (
        <p>
          <CommandButton className="secondary" disabled={unlink.busy} onClick={() => void unlink.ask({ id })}>
            Unlink
          </CommandButton>
        </p>
      )}
      {unlink.dialog}
    </>
  );
}
