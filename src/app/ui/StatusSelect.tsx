import type { KeyboardEvent } from 'react';
import { type Status, statuses } from '../../contract/constants';
import { isOpen } from '../../contract/rules';
import { orDash, toFieldText } from '../api/parse';

export const statusLabels: Record<Status, string> = { pending: 'Pending', success: 'Success', failed: 'Failed' };

/** The label of a status; an unknown one of another server as it is, a dash for none. */
export const formatStatus = (status: string | null | undefined): string => {
  const known = statuses.find((one) => one === orDash(status).toLowerCase());
  return known ? statusLabels[known] : orDash(status);
};

interface Props {
  status: string | null | undefined;
  label: string;
  busy: boolean;
  /** Why it cannot become success. */
  hold?: string | null | undefined;
  /** Why it cannot be decided at all. */
  refusal?: string | null | undefined;
  onChange: (status: Status) => void;
}
/** A select of the statuses, locked once settled (docs/product.md, "Status changes"). An unknown one stays. */
export function StatusSelect({ status, label, busy, hold, refusal, onChange }: Props) {
  const text = toFieldText(status),
    known = statuses.find((one) => one === text.toLowerCase());
  return (
    <select
      aria-label={label}
      className={`status ${known ?? ''}`}
      value={known ?? text}
      disabled={busy || !isOpen(text) || Boolean(refusal)}
      aria-busy={busy}
      title={(isOpen(text) && refusal) || hold || undefined}
      onKeyDown={openList}
      onChange={(event) => {
        const chosen = statuses.find((one) => one === event.target.value);
        if (chosen && chosen !== known) onChange(chosen);
      }}
    >
      {!known && <option value={text}>{text || '-'}</option>}
      {statuses.map((one) => (
        <option key={one} value={one} {...(hold && one === 'success' && { disabled: true, title: hold })}>
          {statusLabels[one]}
        </option>
      ))}
    </select>
  );
}

/** A closed select would change with the first key, and a settled status is final: the key opens the list. */
function openList(event: KeyboardEvent<HTMLSelectElement>): void {
  if (
    event.altKey ||
    event.ctrlKey ||
    event.metaKey ||
    !/^(Arrow|Page|Home|End|\S$)/.test(event.key) ||
    !('showPicker' in event.currentTarget)
  )
    return;
  event.preventDefault();
  event.currentTarget.showPicker();
}
