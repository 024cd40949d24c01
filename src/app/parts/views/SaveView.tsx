import { useState } from 'react';
import { type SavedList, VIEW_NAME_MAX } from '../../../contract/constants';
import { useAction } from '../../hooks/useAction';
import { detailOr } from '../../hooks/useErrorToast';
import { useApi, useMay } from '../../state/session';
import { Field } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';

/** Keeps what a list shows under a name. */
export function SaveView({
  list,
  query,
  onClose,
  onSaved,
}: {
  list: SavedList;
  query: string;
  onClose: () => void;
  onSaved: () => Promise<void>;
}) {
  const api = useApi();
  const mayShare = useMay('settings');
  const [name, setName] = useState('');
  const [isShared, setShared] = useState(false);
  const save = useAction(api.createSavedView, {
    done: 'View saved',
    failed: detailOr('Failed to save view'),
    onDone: onSaved,
  });
  return (
    <FormDialog
      title="Save view"
      disabled={save.busy}
      onClose={onClose}
      onSubmit={async () => {
        if (await save.run({ body: { list, name, query, is_shared: isShared } })) onClose();
      }}
    >
      <p>The filters, the order and the columns of the list. Relative ranges such as Today stay relative.</p>
      <Field
        label="Name"
        required
        maxLength={VIEW_NAME_MAX}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      {mayShare && (
        <label>
          <input type="checkbox" checked={isShared} onChange={({ target }) => setShared(target.checked)} />
          Share with the team
        </label>
      )}
    </FormDialog>
  );
}
