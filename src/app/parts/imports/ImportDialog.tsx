import { useEffect, useRef, useState } from 'react';
import { PLATFORM_TENANT_ID } from '../../../contract/constants';
import { getImportColumns, type ImportKind } from '../../../contract/imports';
import { listen } from '../../api/listen';
import { useFeature, useMay, useUser } from '../../state/session';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { Field } from '../../ui/Field';
import { formatCount, formatCountOf } from '../../ui/formatCount';
import { Select } from '../../ui/Select';
import { downloadFile } from '../downloadFile';
import { TenantPicker } from '../TenantPicker';
import { buildSample } from './files';
import { ImportReport } from './ImportReport';
import { type ImportState, useImport } from './useImport';

const titles: Record<ImportKind, string> = {
  players: 'Import Users',
  transactions: 'Import Transactions',
  logins: 'Import Platform Logins',
};
const notes: Record<ImportKind, string> = {
  players: 'Balances are what the players have now.',
  transactions: 'Settled transactions change reports, not balances. Pending transactions are decided here.',
  logins: 'A player has one active login per platform. A file replaces none.',
};
const kinds = [
  { value: 'players', label: 'Users' },
  { value: 'logins', label: 'Their logins at game platforms' },
];
const picker = { type: 'file', accept: '.csv,.tsv,.txt,text/csv' };

type Props = { kind: ImportKind; tenantId: number | undefined; reload: () => unknown; onClose: () => void };
/** Imports a CSV file into one tenant, after a check. Importing the same file again changes nothing. */
export function ImportDialog({ kind: given, tenantId, reload, onClose }: Props) {
  const isSuper = useUser().role.is_super_admin;
  const [picked, setPicked] = useState(tenantId);
  const [kind, setKind] = useState(given);
  const mayAddLogins = useMay('support'),
    hasLogins = useFeature('player_logins');
  const tenant = picked === PLATFORM_TENANT_ID ? undefined : picked;
  const work = useImport(kind, tenant, reload),
    { file, phase, progress, found, isRunning } = work;
  const box = useRef<HTMLDivElement>(null);

  function close() {
    if (!isRunning || confirm('The import is still running. Stop it and close?')) {
      work.stop();
      return onClose();
    }
    const dialog = box.current?.closest('dialog');
    if (dialog && !dialog.open) dialog.showModal(); // Escape has closed it before the question
  }
  // Anywhere on the page: the browser would open a file that is dropped beside the dialog.
  useEffect(() =>
    listen(['dragover', 'drop'], (event: DragEvent) => {
      event.preventDefault();
      const dropped = event.dataTransfer?.files;
      if (event.type !== 'drop' || !dropped?.length || isRunning) return;
      const input = box.current?.querySelector<HTMLInputElement>('[type=file]');
      if (input) input.files = dropped;
      work.choose(dropped[0] ?? null);
    }),
  );

  return (
    <Dialog title={titles[kind]} onClose={close}>
      <div ref={box}>
        {given === 'players' && hasLogins && mayAddLogins && (
          <Select
            label="What is imported"
            options={kinds}
            value={kind}
            disabled={isRunning || phase === 'stopped'}
            onChange={({ target }) => {
              setKind(target.value === 'logins' ? 'logins' : 'players');
              work.choose(file);
            }}
          />
        )}
        {isSuper && tenantId === undefined && (
          <fieldset disabled={isRunning || phase === 'stopped'}>
            <TenantPicker
              value={picked}
              onChange={(id) => {
                setPicked(id);
                work.choose(file);
              }}
            />
          </fieldset>
        )}
        {picked === PLATFORM_TENANT_ID && <p className="why">The platform's own tenant cannot have players.</p>}
        <Field
          label="CSV file"
          {...picker}
          disabled={isRunning}
          onClick={(event) => {
            event.currentTarget.value = ''; /* so that the same file can be chosen again */
          }}
          hint="UTF-8 with a header row, separated by commas, semicolons or tabs. You can also drop the file here."
          onChange={(event) => work.choose(event.target.files?.[0] ?? null)}
        />
        <Columns kind={kind} />
        <p role="status">{file && describeStatus(file.name, work)}</p>
        {work.problem && (
          <p role="alert" className="why">
            {work.problem}
          </p>
        )}
        {file && (isRunning || phase === 'stopped') && (
          <label>
            {phase === 'checking' ? 'Checked so far' : 'Imported so far'}
            <progress
              {...(phase === 'checking'
                ? { value: progress.bytes, max: file.size || 1 }
                : { value: progress.rows, max: found.rows || 1 })}
            />
          </label>
        )}
        {phase !== 'chosen' && (
          <ImportReport kind={kind} progress={progress} isCheck={phase === 'checking' || phase === 'checked'} />
        )}
      </div>
      <footer>
        {isRunning ? <Button onClick={work.stop}>Cancel</Button> : <Button onClick={close}>Close</Button>}
        <NextStep work={work} mayStart={tenant !== undefined} />
      </footer>
    </Dialog>
  );
}

const Columns = ({ kind }: { kind: ImportKind }) => (
  <details>
    <summary>Columns</summary>
    <p>
      {getImportColumns(kind)
        .map(([name, { isRequired }]) => (isRequired ? `${name} (required)` : name))
        .join(', ')}
      . {notes[kind]}
    </p>
    <Button onClick={() => downloadFile(buildSample(kind), `${kind}-sample.csv`)}>Download a sample file</Button>
  </details>
);

function NextStep({ work, mayStart }: { work: ReturnType<typeof useImport>; mayStart: boolean }) {
  const { file, phase, found, isRunning } = work;
  const button = (words: string, run: () => unknown, isOff = false) => (
    <button type="button" disabled={isOff || isRunning} onClick={() => void run()}>
      {words}
    </button>
  );
  if (phase === 'chosen' || phase === 'checking') return button('Check file', work.check, !file || !mayStart);
  if (phase === 'checked' || phase === 'importing')
    return button(`Import ${formatCountOf(found.created, 'row')}`, work.start, found.created === 0);
  return phase === 'stopped' && button('Continue', work.start);
}

function describeStatus(name: string, { phase, progress, found }: ImportState): string {
  const rows = formatCountOf(progress.rows, 'row');
  switch (phase) {
    case 'chosen':
      return '';
    case 'checking':
      return `Checking ${name}: ${rows} so far`;
    case 'checked':
      return `Checked ${name}: ${rows}. Nothing imported yet.`;
    case 'importing':
      return `Importing ${name}: ${formatCount(progress.rows)} of ${formatCount(found.rows)} rows done`;
    case 'stopped':
      return (
        `Stopped after ${formatCount(progress.rows)} of ${formatCount(found.rows)} rows of ${name}. ` +
        'The imported rows are kept. You can import the same file again at any time.'
      );
    case 'done':
      return `Imported ${name}: ${rows} done.`;
  }
}
