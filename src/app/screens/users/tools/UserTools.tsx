import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { TAG_MAX, TAGS_MAX } from '../../../../contract/constants';
import type { Player } from '../../../../contract/entities';
import { BulkReport } from '../../../parts/bulk/BulkReport';
import { DialogButton } from '../../../parts/DialogButton';
import { ColumnChooser } from '../../../parts/table/ColumnChooser';
import { hiddenClass } from '../../../parts/table/columns';
import { useColumns } from '../../../parts/table/useColumns';
import { useSelection } from '../../../parts/table/useSelection';
import { Views } from '../../../parts/views/Views';
import { useFeature, useMay } from '../../../state/session';
import { Button } from '../../../ui/Button';
import { Field } from '../../../ui/Field';
import { FormDialog } from '../../../ui/FormDialog';
import { formatCount, formatCountOf } from '../../../ui/formatCount';
import { lazyWithRetry } from '../../../ui/lazyWithRetry';
import type { UserTableTools } from '../UserRow';
import { UserFilters } from './UserFilters';
import { type BulkChange, bulkVerbs, useBulkChange } from './useBulkChange';

const Doubles = lazyWithRetry(() => import('./Doubles').then((file) => file.Doubles));

interface Props {
  players: readonly Player[];
  tenantId: number | undefined;
  segment: string;
  onSegment: (segment: string) => void;
  /** The filters of the list as text. The selection ends when they change. */
  filter: string;
  reload: () => Promise<void>;
  onTools: (tools: UserTableTools) => void;
}
/** The tools of the Users list, and what can be done to selected users. `onTools` gets what the table needs of it. */
export function UserTools({ players, tenantId, segment, onSegment, filter, reload, onTools }: Props) {
  const mayChange = useMay('support'),
    hasBulk = useFeature('bulk_work'),
    hasFilters = useFeature('player_filters'),
    findsDoubles = useFeature('protection');
  const [header, setHeader] = useState<Element | null>(null);
  const isSelecting = header !== null;
  const [asked, setAsked] = useState<BulkChange['kind'] | null>(null);
  const columns = useColumns('users', { isOffered: true });
  const selection = useSelection(players, filter);
  const bulk = useBulkChange(reload);
  const selected = [...selection.rows.values()];

  const { hidden } = columns;
  const report = useRef(onTools);
  report.current = onTools;
  const { rows, toggle } = selection;
  useEffect(() => {
    report.current({
      toClass: (base) => hiddenClass(base, hidden),
      ...(isSelecting && { selected: rows, onSelect: toggle }),
    });
  }, [hidden, isSelecting, rows, toggle]);

  function stop() {
    selection.clear();
    setHeader(null);
  }
  const ask = (kind: BulkChange['kind'], label: string) => (
    <Button disabled={!selected.length} onClick={() => setAsked(kind)}>
      {label}
    </Button>
  );
  return (
    <>
      {mayChange && hasBulk && (
        <Button
          aria-pressed={isSelecting}
          onClick={({ currentTarget }) => (isSelecting ? stop() : setHeader(currentTarget.closest('header')))}
        >
          Select
        </Button>
      )}
      {hasFilters && <UserFilters segment={segment} tenantId={tenantId} onSegment={onSegment} />}
      {mayChange && findsDoubles && (
        <DialogButton dialog={(onClose) => <Doubles {...{ tenantId, onClose }} />}>Possible doubles</DialogButton>
      )}
      <Views columns={columns} tenantId={tenantId} />
      <ColumnChooser {...columns} />
      {header &&
        createPortal(
          <div className="list-bar" role="group" aria-label="Selected users">
            <span role="status" className="selected">
              {formatCount(selected.length)} selected
            </span>
            <span className="list-tools">
              {ask('tag', 'Tag…')}
              {ask('activate', 'Activate…')}
              {ask('deactivate', 'Deactivate…')}
              <Button onClick={() => selection.selectAll()}>Select page</Button>
              {bulk.report && <Button onClick={() => bulk.show(true)}>Report</Button>}
              <Button onClick={stop}>Done</Button>
            </span>
          </div>,
          header,
        )}
      {asked &&
        createPortal(
          <BulkForm
            kind={asked}
            users={selected}
            onClose={() => setAsked(null)}
            onSubmit={(change) => {
              setAsked(null);
              void bulk.run(selected, change);
            }}
          />,
          document.body,
        )}
      {bulk.report?.isShown && (
        <BulkReport report={bulk.report} onAgain={bulk.again} onClose={() => bulk.show(false)} />
      )}
    </>
  );
}

interface BulkProps {
  kind: BulkChange['kind'];
  users: readonly Player[];
  onClose: () => void;
  onSubmit: (change: BulkChange) => void;
}
function BulkForm({ kind, users, onClose, onSubmit }: BulkProps) {
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
