import { useState } from 'react';
import { createPortal } from 'react-dom';
import { type KycState, kycStates, MISSING_MAX } from '../../../../contract/eligibility';
import type { Eligibility as Known, Player } from '../../../../contract/entities';
import { useCall } from '../../../hooks/useCall';
import { detailOr } from '../../../hooks/useErrorToast';
import { type Saving, useForm } from '../../../hooks/useForm';
import { DialogButton } from '../../../parts/DialogButton';
import { useMay } from '../../../state/session';
import { useDialogApi } from '../../../state/useDialogApi';
import { DateTime } from '../../../ui/DateTime';
import { Field } from '../../../ui/Field';
import { FormDialog } from '../../../ui/FormDialog';
import { formatDay } from '../../../ui/formatDay';
import { Select } from '../../../ui/Select';
import { Waiting } from '../../../ui/Waiting';

const labels: Record<KycState, string> = {
  none: 'Not checked',
  pending: 'Being checked',
  verified: 'Verified',
  refused: 'Refused',
};

/** What is known of who the player is, shown at `place`, and the way to change it. */
export function Eligibility({ player, place }: { player: Player; place: Element | null }) {
  const api = useDialogApi();
  const maySet = useMay('support');
  const found = useCall(api.getEligibility, { id: player.id }, detailOr('Failed to fetch the eligibility'));
  const known = found.data;
  if (!known && found.failed) return <Waiting for={found} failure="The eligibility could not be loaded." />;
  const words = known && [
    known.kyc_until && `until the end of ${formatDay(known.kyc_until)}`,
    known.kyc_missing && `missing: ${known.kyc_missing}`,
    known.kyc_reference && `check ${known.kyc_reference}`,
    known.birth_date && `born ${formatDay(known.birth_date)}`,
    known.region && `lives in ${known.region}`,
  ];
  return (
    <p>
      {place &&
        known &&
        createPortal(
          <>
            <span className={known.kyc_status === 'refused' ? 'badge' : 'badge holder'}>
              Identity: <b>{labels[known.kyc_status] ?? known.kyc_status}</b>
            </span>
            {words?.filter(Boolean).map((word) => `, ${word}`)}
            {known.by && (
              <>
                , set by {known.by} <DateTime at={known.since} />
              </>
            )}
          </>,
          place,
        )}
      {maySet && (
        <DialogButton
          isCommand
          disabled={!known}
          className="secondary"
          dialog={(onClose) => known && <SetEligibility {...{ player, known, onClose }} onSaved={found.reload} />}
        >
          Eligibility
        </DialogButton>
      )}
    </p>
  );
}

const fields = ['birth_date', 'region', 'kyc_until', 'kyc_missing', 'kyc_reference'] as const;
type Typed = Record<(typeof fields)[number], string> & { kyc_status: KycState };

type Props = Saving & { player: Player; known: Known };
function SetEligibility({ player, known, onSaved, onClose }: Props) {
  const api = useDialogApi();
  const texts = fields.map((name) => [name, known[name] ?? '']);
  const [initial] = useState({ ...Object.fromEntries(texts), kyc_status: known.kyc_status } as Typed);
  const form = useForm({
    initial,
    send({ kyc_status, ...typed }, options) {
      const changed = fields.filter((name) => typed[name].trim() !== initial[name]);
      const body = {
        ...(kyc_status !== initial.kyc_status && { kyc_status }), // a vendor may have set it meanwhile
        ...Object.fromEntries(changed.map((name) => [name, typed[name].trim() || null])),
      };
      return api.saveEligibility({ id: player.id, body }, options);
    },
    done: 'Saved',
    failed: detailOr('Failed to save the eligibility'),
    shownAt: ['region'],
    reload: onSaved,
    onDone: onClose,
  });
  return (
    <FormDialog title="Eligibility" {...form.dialog} onClose={onClose}>
      <p>{player.email}. What is empty is unknown.</p>
      <div className="grid">
        <Field label="Birth date" type="date" {...form.field('birth_date')} />
        <Field
          label="Region"
          maxLength={6}
          hint="A country or a part of it, such as US or US-CA"
          {...form.field('region')}
        />
      </div>
      <Select
        label="Identity"
        value={form.values.kyc_status}
        options={kycStates.map((value) => ({ value, label: labels[value] }))}
        onChange={({ target }) => form.set({ kyc_status: target.value as KycState })}
      />
      <Field label="Verified until" type="date" hint="The last day; empty for no end" {...form.field('kyc_until')} />
      <Field label="Still missing" maxLength={MISSING_MAX} {...form.field('kyc_missing')} />
      <Field
        label="Vendor's id"
        maxLength={200}
        hint="The number of the check. Documents stay with the vendor."
        {...form.field('kyc_reference')}
      />
    </FormDialog>
  );
}
