import { type ReactNode, useState } from 'react';
import type { ChangeReason } from '../../contract/entities';
import { FormDialog } from '../ui/FormDialog';
import { ChangeReasonFields } from './ChangeReasonFields';
import { cleanReason } from './formatReason';

/** Asks before a change that does harm if it was not meant, names what it is about, and may take a reason. */
export function ChangeDialog({
  question,
  about,
  submit,
  isDangerous,
  takesReason,
  needsReason = false,
  onAnswer,
}: {
  question: string;
  about?: ReactNode;
  submit: string;
  isDangerous?: boolean | undefined;
  takesReason: boolean;
  needsReason?: boolean | undefined;
  /** Null: no change. */
  onAnswer: (changeReason: ChangeReason | null) => void;
}) {
  const [typed, setTyped] = useState<ChangeReason>({});
  return (
    <FormDialog
      title={question}
      submit={submit}
      isDangerous={isDangerous}
      disabled={needsReason && !Object.values(cleanReason(typed)).some(Boolean)}
      onClose={() => onAnswer(null)}
      onSubmit={() => onAnswer(cleanReason(typed))}
    >
      {typeof about === 'string' ? <p>{about}</p> : about}
      {takesReason && <ChangeReasonFields label="Reason" typed={typed} onChange={setTyped} />}
    </FormDialog>
  );
}
