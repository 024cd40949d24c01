import { type SavedList, VIEW_NAME_MAX } from '../../../contract/constants';
import { detailOr } from '../../hooks/useErrorToast';
import { type Saving, useForm } from '../../hooks/useForm';
import { useApi } from '../../state/session';
import { Field } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';

/** Keeps what a list shows under a name. */
export function SaveView({
  list,
  query,
  onClose,
  onSaved,
}: Saving & {
  list: SavedList;
  query: string;
}) {
  const api = useApi();
  const form = useForm({
    initial: { name: '' },
    send: (typed, options) => api.createSavedView({ body: { list, query, ...typed } }, options),
    done: 'View saved',
    failed: detailOr('Failed to save view'),
    reload: onSaved,
    onDone: onClose,
  });
  return (
    <FormDialog title="Save view" {...form.dialog} onClose={onClose}>
      <p>The filters, the order and the columns of the list. Relative ranges such as Today stay relative.</p>
      <Field label="Name" required maxLength={VIEW_NAME_MAX} {...form.field('name')} />
    </FormDialog>
  );
}
