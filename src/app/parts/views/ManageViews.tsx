import { useState } from 'react';
import { type SavedList, VIEW_NAME_MAX } from '../../../contract/constants';
import type { SavedView } from '../../../contract/entities';
import { useAction } from '../../hooks/useAction';
import { detailOr } from '../../hooks/useErrorToast';
import type { Resource } from '../../hooks/useResource';
import { useApi, useMay } from '../../state/session';
import { CloseButton, Dialog } from '../../ui/Dialog';
import { Field } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';
import { Rows } from '../../ui/Rows';
import { TableFrame } from '../../ui/TableFrame';
import { useQuestion } from '../useQuestion';

interface Props {
  list: SavedList;
  views: Resource<SavedView[]>;
  /** What the list shows now. */
  query: string;
  onOpen: (view: SavedView) => void;
  onClose: () => void;
}

/** The views of a list: to open, rename, share, replace by what the list shows now, and delete. */
export function ManageViews({ list, views, query, onOpen, onClose }: Props) {
  const [renamed, setRenamed] = useState<SavedView | null>(null);
  const title = `Views of ${list}`;
  return (
    <Dialog title={title} wide onClose={onClose}>
      <TableFrame label={title}>
        <table className="stack">
          <thead>
            <tr>
              <th>Name</th>
              <th>Shared</th>
              <th>Owner</th>
              <th>Actions</th>
            </tr>
          </thead>
          <Rows of={views} span={4} empty="No views yet.">
            {(view) => (
              <ViewRow
                key={view.id}
                view={view}
                query={query}
                reload={views.reload}
                onOpen={() => onOpen(view)}
                onRename={() => setRenamed(view)}
              />
            )}
          </Rows>
        </table>
      </TableFrame>
      <footer>
        <CloseButton />
      </footer>
      {renamed && <Rename view={renamed} reload={views.reload} onClose={() => setRenamed(null)} />}
    </Dialog>
  );
}

function ViewRow({
  view,
  query,
  reload,
  onOpen,
  onRename,
}: {
  view: SavedView;
  query: string;
  reload: () => Promise<void>;
  onOpen: () => void;
  onRename: () => void;
}) {
  const api = useApi();
  const mayShare = useMay('settings');
  const change = useAction(api.updateSavedView, {
    done: 'View changed',
    failed: detailOr('Failed to change view'),
    onDone: reload,
  });
  const remove = useAction(api.deleteSavedView, {
    done: 'View deleted',
    failed: detailOr('Failed to delete view'),
    onDone: reload,
  });
  const question = useQuestion({
    question: 'Delete this view?',
    about: view.is_shared ? `${view.name}, shared with the team` : view.name,
    submit: 'Delete',
    hasNoReason: true,
  });
  const update = (body: Partial<Pick<SavedView, 'query' | 'is_shared'>>) => void change.run({ id: view.id, body });
  return (
    <tr aria-busy={change.busy || remove.busy}>
      <td className="head">
        <button type="button" className="link" onClick={onOpen}>
          {view.name}
        </button>
      </td>
      <td data-label="Shared">{view.is_shared ? 'With the team' : 'No'}</td>
      <td data-label="Owner">{view.is_own ? 'You' : view.by}</td>
      <td className="actions">
        <span className="chips" role="group" aria-label={view.name}>
          {view.may_change && (
            <>
              <button type="button" onClick={onRename}>
                Rename
              </button>
              {mayShare && (
                <button type="button" onClick={() => update({ is_shared: !view.is_shared })}>
                  {view.is_shared ? 'Make private' : 'Share'}
                </button>
              )}
              <button
                type="button"
                title="Keep what the list shows now under this name"
                disabled={view.query === query}
                onClick={() => update({ query })}
              >
                Replace
              </button>
              <button
                type="button"
                className="danger"
                onClick={async () => {
                  if (await question.ask()) await remove.run({ id: view.id });
                }}
              >
                Delete
              </button>
            </>
          )}
        </span>
        {question.dialog}
      </td>
    </tr>
  );
}

function Rename({ view, reload, onClose }: { view: SavedView; reload: () => Promise<void>; onClose: () => void }) {
  const api = useApi();
  const [name, setName] = useState(view.name);
  const rename = useAction(api.updateSavedView, {
    done: 'View renamed',
    failed: detailOr('Failed to rename view'),
    onDone: reload,
  });
  return (
    <FormDialog
      title="Rename view"
      disabled={rename.busy}
      onClose={onClose}
      onSubmit={async () => {
        if (await rename.run({ id: view.id, body: { name } })) onClose();
      }}
    >
      <Field
        label="Name"
        required
        maxLength={VIEW_NAME_MAX}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
    </FormDialog>
  );
}
