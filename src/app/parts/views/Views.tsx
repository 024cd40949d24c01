import { useState } from 'react';
import { createPortal } from 'react-dom';
import { type SavedList, VIEW_NAME_MAX } from '../../../contract/constants';
import type { SavedView } from '../../../contract/entities';
import { formatDayIn } from '../../../contract/timeZones';
import { useCall } from '../../hooks/useCall';
import { detailOr } from '../../hooks/useErrorToast';
import { type Saving, useForm } from '../../hooks/useForm';
import type { Resource } from '../../hooks/useResource';
import { useApi, useFeature } from '../../state/session';
import { STILL_WAITING } from '../../state/toasts';
import { Button } from '../../ui/Button';
import { DataTable } from '../../ui/DataTable';
import { Dialog } from '../../ui/Dialog';
import { Field } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';
import { Menu, type MenuItem } from '../../ui/Menu';
import { useZone } from '../../ui/zones';
import type { Columns } from '../table/useColumns';
import { useAskedAction } from '../useAskedAction';
import { useCopy } from '../useCopy';
import { applyView, readView } from './viewQuery';

/** 'Views': the saved views of a list, to open and keep. Nothing if the server keeps none. */
export const Views = (props: { columns: Columns; tenantId: number | undefined }) =>
  useFeature('saved_views') ? <Offered {...props} /> : null;

function Offered({ columns: { list, hidden }, tenantId }: { columns: Columns; tenantId: number | undefined }) {
  const api = useApi(),
    copy = useCopy();
  const today = formatDayIn(new Date(), useZone(tenantId).zone);
  const [opener, setOpener] = useState<HTMLElement | null>(null);
  const [isAsked, setAsked] = useState(false);
  const [dialog, setDialog] = useState<'save' | 'manage' | null>(null);
  const views = useCall(api.listSavedViews, isAsked ? { list } : null, 'Failed to load views');
  const read = () => readView(list, location.search, hidden, today);
  const open = ({ query }: Pick<SavedView, 'query'>) =>
    history.pushState(null, '', location.pathname + applyView(list, location.search, query, today));

  // One that shows what is shown now is marked.
  const items = (): MenuItem[] => {
    const now = read();
    return [
      ...(views.data || !views.busy
        ? []
        : [{ label: views.slow ? STILL_WAITING : 'Loading…', onSelect: () => undefined }]),
      ...(views.data ?? []).map((view) => ({
        label: `${view.name}${view.query === now ? ' ✓' : ''}`,
        onSelect: () => open(view),
      })),
      { label: 'Save this view…', onSelect: () => setDialog('save') },
      ...(views.data?.length ? [{ label: 'Manage views…', onSelect: () => setDialog('manage') }] : []),
      {
        label: 'Copy link',
        onSelect: () =>
          copy('Link', location.origin + location.pathname + applyView(list, location.search, read(), today)),
      },
    ];
  };
  return (
    <>
      <Button
        aria-haspopup="menu"
        onClick={({ currentTarget }) => {
          if (isAsked && !opener) void views.reload();
          setAsked(true);
          setOpener(opener ? null : currentTarget);
        }}
      >
        Views
      </Button>
      {opener && <Menu label="Views" opener={opener} items={items()} onClose={() => setOpener(null)} />}
      {/* Outside of the bar, because of the styles there. */}
      {createPortal(
        <>
          {dialog === 'save' && (
            <SaveView list={list} query={read()} onClose={() => setDialog(null)} onSaved={views.reload} />
          )}
          {dialog === 'manage' && (
            <ManageViews
              list={list}
              views={views}
              onOpen={(view) => {
                setDialog(null);
                open(view);
              }}
              onClose={() => setDialog(null)}
            />
          )}
        </>,
        document.body,
      )}
    </>
  );
}

type Props = Saving & { list: SavedList; query: string };
function SaveView({ list, query, onClose, onSaved }: Props) {
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

interface ManageProps {
  list: SavedList;
  views: Resource<SavedView[]>;
  onOpen: (view: SavedView) => void;
  onClose: () => void;
}

function ManageViews({ list, views, onOpen, onClose }: ManageProps) {
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
        <Button className="danger" aria-label={`Delete ${view.name}`} onClick={() => void remove.ask({ id: view.id })}>
          Delete
        </Button>
        {remove.dialog}
      </td>
    </tr>
  );
}
