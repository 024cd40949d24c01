import { useState } from 'react';
import type { ChangeReason } from '../../contract/entities';
import { FormDialog } from '../ui/FormDialog';
import { ChangeReasonFields } from './ChangeReasonFields';
import { cleanReason } from './formatReason';

/** Asks before a change that cannot be undone, names what it is about, and takes a reason. */
export function ChangeDialog({
  question,
  about,
  submit,
  onAnswer,
}: {
  question: string;
  about?: string | undefined;
  submit: string;
  /** Null: no change. */
  onAnswer: (changeReason: ChangeReason | null) => void;
}) {
  const [typed, setTyped] = useState<ChangeReason>({});
  return (
    <FormDialog
      title={question}
      submit={submit}
      onClose={() => onAnswer(null)}
      onSubmit={() => onAnswer(cleanReason(typed))}
    >
      {about && <p>{about}</p>}
      <ChangeReasonFields label="Reason" typed={typed} onChange={setTyped} />
    </FormDialog>
  );
}
