import { useState } from 'react';
import { TAG_MAX, TAGS_MAX } from '../../../../contract/constants';
import type { Player } from '../../../../contract/entities';
import { Field } from '../../../ui/Field';
import { FormDialog } from '../../../ui/FormDialog';
import { formatCountOf } from '../../../ui/formatCount';
import { type BulkChange, bulkVerbs } from './useBulkChange';

interface Props {
  kind: BulkChange['kind'];
  users: readonly Player[];
  onClose: () => void;
  onSubmit: (change: BulkChange) => void;
}
/** Asks before several users are changed, and says how many. */
export function BulkForm({ kind, users, onClose, onSubmit }: Props) {
  const [typed, setTyped] = useState('');
  const tags = typed
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean);
  const isTooLong = tags.some((tag) => tag.length > TAG_MAX) || tags.length > TAGS_MAX;
  const count = formatCountOf(users.length, 'user');
  const verb = bulkVerbs[kind];
  return (
    <FormDialog
      title={`${verb} ${count}${kind === 'tag' ? '' : '?'}`}
      submit={verb}
      disabled={kind === 'tag' && (tags.length === 0 || isTooLong)}
      onClose={onClose}
      onSubmit={() => onSubmit(kind === 'tag' ? { kind, tags } : { kind })}
    >
      {kind === 'tag' && (
        <Field
          label="Tags"
          required
          autoFocus
          hint="Separate tags with commas. Existing tags are kept."
          error={isTooLong ? `At most ${TAGS_MAX} tags of ${TAG_MAX} characters` : undefined}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
      <p>
        {users
          .slice(0, 5)
          .map(({ email }) => email)
          .join(', ')}
        {users.length > 5 && ` and ${users.length - 5} more`}
      </p>
    </FormDialog>
  );
}
