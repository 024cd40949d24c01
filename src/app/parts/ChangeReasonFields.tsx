import { NOTE_MAX, reasons } from '../../contract/constants';
import type { ChangeReason } from '../../contract/entities';
import { Field } from '../ui/Field';
import { Select } from '../ui/Select';
import { formatReasonCode } from './formatReason';

const options = reasons.map((value) => ({ value, label: formatReasonCode(value) }));

interface Props {
  label: string;
  autoFocus?: boolean;
  isNeeded?: boolean;
  typed: ChangeReason;
  onChange: (typed: ChangeReason) => void;
}
/** Inputs for a reason from the list and a note; optional, or one of them is needed. */
export function ChangeReasonFields({ label, autoFocus = false, isNeeded = false, typed, onChange }: Props) {
  const prompt = isNeeded ? 'Choose a reason' : 'Optional';
  return (
    <>
      <Select
        {...{ label, autoFocus }}
        options={[{ value: '', label: prompt }, ...options]}
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
