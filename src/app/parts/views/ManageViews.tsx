import type { SavedList } from '../../../contract/constants';
import type { SavedView } from '../../../contract/entities';
import { detailOr } from '../../hooks/useErrorToast';
import type { Resource } from '../../hooks/useResource';
import { useApi } from '../../state/session';
import { DataTable } from '../../ui/DataTable';
import { Dialog } from '../../ui/Dialog';
import { useAskedAction } from '../useAskedAction';

interface Props {
  list: SavedList;
  views: Resource<SavedView[]>;
  onOpen: (view: SavedView) => void;
  onClose: () => void;
}

/** The views of a list: to open and delete. */
export function ManageViews({ list, views, onOpen, onClose }: Props) {
  const title = `Views of ${list}`;
  return (
    <Dialog title={title} withClose onClose={onClose}>
      <DataTable label={title} heads={['Name', 'Actions']} of={views} empty="No views yet.">
        {(view) => <ViewRow key={view.id} view={view} reload={views.reload} onOpen={() => onOpen(view)} />}
      </DataTable>
    </Dialog>
  );
}

function ViewRow({ view, reload, onOpen }: { view: SavedView; reload: () => Promise<void>; onOpen: () => void }) {
  const api = useApi();
  const remove = useAskedAction(api.deleteSavedView, {
    done: 'View deleted',
    failed: detailOr('Failed to delete view'),
    onDone: reload,
    question: 'Delete this view?',
    about: view.name,
    submit: 'Delete',
    hasNoReason: true,
  });
  return (
    <tr aria-busy={remove.busy}>
      <td className="head">
        <button type="button" className="link" onClick={onOpen}>
          {view.name}
        </button>
      </td>
      <td className="actions">
        <button
          type="button"
          className="danger"
          aria-label={`Delete ${view.name}`}
          onClick={() => void remove.ask({ id: view.id })}
        >
          Delete
        </button>
        {remove.dialog}
      </td>
    </tr>
  );
}
