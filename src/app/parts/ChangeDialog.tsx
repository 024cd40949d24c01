import { type ReactNode, useState } from 'react';
import type { ChangeReason } from '../../contract/entities';
import { FormDialog } from '../ui/FormDialog';
import { ChangeReasonFields } from './ChangeReasonFields';
import { cleanReason } from './formatReason';

export interface Asked {
  question: string;
  /** What would be changed. */
  about?: ReactNode;
  /** The button that changes it. */
  submit: string;
  /** Something is lost or no longer works. */
  isDangerous?: boolean;
  /** It is not done without a reason or a note. */
  needsReason?: boolean;
}

/** Asks before a change that does harm if it was not meant, names what it is about, and may take a reason. */
export function ChangeDialog({
  question,
  about,
  submit,
  isDangerous,
  takesReason,
  needsReason = false,
  onAnswer,
}: Asked & {
  takesReason: boolean;
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
