import { NOTE_MAX, reasons } from '../../contract/constants';
import type { ChangeReason } from '../../contract/entities';
import { Field } from '../ui/Field';
import { Select } from '../ui/Select';
import { formatReasonCode } from './formatReason';

const options = [
  { value: '', label: 'Choose a reason' },
  ...reasons.map((value) => ({ value, label: formatReasonCode(value) })),
];

type Props = { label: string; autoFocus?: boolean; typed: ChangeReason; onChange: (typed: ChangeReason) => void };
/** Inputs for a reason from the list and a note; both optional. */
export function ChangeReasonFields({ label, autoFocus = false, typed, onChange }: Props) {
  return (
    <>
      <Select
        {...{ label, autoFocus, options }}
        value={typed.reason ?? ''}
        onChange={({ target }) => onChange({ ...typed, reason: reasons.find((code) => code === target.value) })}
      />
      <Field
        label="Note"
        maxLength={NOTE_MAX}
        autoComplete="off"
        value={typed.note ?? ''}
        onChange={({ target }) => onChange({ ...typed, note: target.value })}
      />
    </>
  );
}
