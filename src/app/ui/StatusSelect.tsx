import type { Status } from '../../contract/constants';
import { isOpen } from '../../contract/rules';

export function StatusSelect({ status, label, busy, onChange }: {
  status: Status;
  label: string;
  busy: boolean;
  onChange: (status: Status) => void;
}) {
  return (
    <select aria-label={label} className={status} value={status} disabled={busy || !isOpen(status)} aria-busy={busy}
      onChange={(event) => onChange(event.target.value as Status)}>
      <option value="pending">Pending</option>
      <option value="success">Success</option>
      <option value="failed">Failed</option>
    </select>
  );
}
