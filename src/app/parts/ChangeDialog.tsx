import { type ReactNode, useState } from 'react';
import type { ChangeReason } from '../../contract/entities';
import { FormDialog } from '../ui/FormDialog';
import { ChangeReasonFields } from './ChangeReasonFields';
import { cleanReason } from './formatReason';
import { useRevokeKeys } from './revokeKeys';

export interface Asked {
  question: string;
  about?: ReactNode;
  submit: string;
  /** Something is lost or no longer works. */
  isDangerous?: boolean;
  /** Names of the API keys that end with it, unless that is unchecked. */
  keys?: readonly string[];
  needsReason?: boolean;
}

/** Asks before a change that does harm if it was not meant, names what it is about, and may take a reason. */
export function ChangeDialog({
  question,
  about,
  submit,
  isDangerous,
  takesReason,
  keys = [],
  needsReason = false,
  onAnswer,
}: Asked & {
  takesReason: boolean;
  onAnswer: (changeReason: ChangeReason | null) => void;
}) {
  const [typed, setTyped] = useState<ChangeReason>({});
  const revokeKeys = useRevokeKeys(keys, <>Revoke the API keys this admin made: {keys.join(', ')}</>);
  return (
    <FormDialog
      title={question}
      submit={submit}
      isDangerous={isDangerous}
      disabled={needsReason && !Object.values(cleanReason(typed)).some(Boolean)}
      onClose={() => onAnswer(null)}
      onSubmit={() => onAnswer({ ...cleanReason(typed), ...revokeKeys.choice })}
    >
      {typeof about === 'string' ? <p>{about}</p> : about}
      {revokeKeys.field}
      {takesReason && <ChangeReasonFields label="Reason" typed={typed} onChange={setTyped} />}
    </FormDialog>
  );
}
