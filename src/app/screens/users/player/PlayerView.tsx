import { useCallback, useState } from 'react';
import { balanceKinds } from '../../../../contract/constants';
import type { LedgerLine } from '../../../../contract/entities';
import { orDash } from '../../../api/parse';
import { useCall } from '../../../hooks/useCall';
import { detailOr } from '../../../hooks/useErrorToast';
import { useIsHere } from '../../../hooks/useIsHere';
import { useResource } from '../../../hooks/useResource';
import { auditColumns, EntryRow } from '../../../parts/audit/AuditLog';
import { CopyButton } from '../../../parts/CopyButton';
import { CursorPagination, useCursors } from '../../../parts/CursorPagination';
import { CopyableText } from '../../../parts/details/CopyableText';
import { formatReason } from '../../../parts/formatReason';
import { Decisions } from '../../../parts/queue/Decisions';
import { saveDraft } from '../../../state/drafts';
import { useApi, useFeature } from '../../../state/session';
import { balanceLabels } from '../../../ui/balanceLabels';
import { columnClass } from '../../../ui/columnClass';
import { DataTable } from '../../../ui/DataTable';
import { DateTime } from '../../../ui/DateTime';
import { CloseButton, Dialog } from '../../../ui/Dialog';
import { formatPlatform } from '../../../ui/formatPlatform';
import { Money } from '../../../ui/Money';
import { PartTabs } from '../../../ui/PartTabs';
import { FROM_ROW } from '../../../ui/RowLink';
import { Select } from '../../../ui/Select';
import { keepScrollPlaces } from '../../../ui/scrollPlaces';
import { Waiting } from '../../../ui/Waiting';
import { ZoneOf } from '../../../ui/ZoneOf';
import { Logins } from '../PlatformCredentials';
import { MoneyTable } from './MoneyTable';
import { NotesPart, noteDraft } from './NotesPart';
import { ProfilePart } from './ProfilePart';
import { Summary } from './Summary';
import { usePlayerMoney } from './usePlayerMoney';

// Once for the page: e-mails of every list lead here, and Back leads to where the list was left.
keepScrollPlaces();

const parts = ['Profile', 'Balances', 'Purchases', 'Redeems', 'Platform Logins', 'Notes', 'History'] as const;
type Part = (typeof parts)[number];
const toSlug = (part: Part) => (part === 'Profile' ? '' : part.toLowerCase().replace(' ', '-'));

interface Props {
  playerId: number;
  part: string;
  onPart: (part: string) => void;
  onClose: () => void;
  onChanged: () => Promise<unknown>;
}
/** Everything about one player, and what is done for them. One part is open at a time and is in the address. */
export function PlayerView({ playerId, part, onPart, onClose, onChanged }: Props) {
  const api = useApi();
  const hasAudit = useFeature('audit');
  const [cameFromRow] = useState(() => history.state === FROM_ROW);
  const isHere = useIsHere();
  function close(): void {
    if (!cameFromRow) return onClose();
    // What was before may show the same player.
    window.addEventListener('popstate', () => setTimeout(() => isHere.current && onClose()), { once: true });
    history.back();
  }
  const [changes, setChanges] = useState(0);
  const file = useCall(api.getPlayer, { id: playerId }, detailOr('Failed to fetch the player'));
  const reloadFile = file.reload;
  const reloadOthers = useCallback(async () => {
    setChanges((count) => count + 1);
    await Promise.all([reloadFile(), onChanged()]);
  }, [reloadFile, onChanged]);
  const offered = parts.filter((one) => one !== 'History' || hasAudit);
  const open = offered.find((one) => toSlug(one) === part) ?? 'Profile';
  const { decisions, reload } = usePlayerMoney(playerId, file.data?.player.tenant_id, open, reloadOthers);
  const player = file.data?.player;

  return (
    <Dialog
      title={player?.email ?? `Player ${playerId}`}
      beside={
        <>
          <CopyButton what="Email" text={player?.email} />
          <CloseButton />
        </>
      }
      wide
      onClose={close}
      onDiscard={() => saveDraft(noteDraft(playerId), {})}
    >
      <ZoneOf tenantId={player?.tenant_id}>
        <div className="player">
          {file.data && player ? (
            <Summary file={file.data} reload={reload} />
          ) : (
            <Waiting for={file} failure="This player could not be loaded." />
          )}
          <PartTabs label="About the player" parts={offered} open={open} onOpen={(one) => onPart(toSlug(one))} />
          <section key={open}>
            {open === 'Profile' && (
              <>
                <MoneyTable label="To decide" decisions={decisions} />
                {file.data && player && (
                  <ProfilePart file={file.data} reload={reload} onNotes={() => onPart(toSlug('Notes'))} />
                )}
              </>
            )}
            {open === 'Balances' && <BalancesPart playerId={playerId} changes={changes} />}
            {open === 'Purchases' && <MoneyTable label="Purchases" decisions={decisions} empty="No purchases yet." />}
            {open === 'Redeems' && <MoneyTable label="Redeems" decisions={decisions} empty="No redeems yet." />}
            {open === 'Platform Logins' && player && (
              <Logins player={player} label="Platform Logins" show={formatPlatform} />
            )}
            {open === 'Notes' && <NotesPart playerId={playerId} file={file} />}
            {open === 'History' && <HistoryPart playerId={playerId} changes={changes} />}
          </section>
        </div>
      </ZoneOf>
      <Decisions decisions={decisions} />
    </Dialog>
  );
}

function HistoryPart({ playerId, changes }: { playerId: number; changes: number }) {
  const api = useApi();
  const pages = useCursors(),
    { cursor } = pages;
  const page = useResource(
    (signal) => api.getAudit({ player_id: playerId, cursor }, { signal }),
    [api, playerId, cursor, changes],
    'Failed to fetch the audit log',
  );
  return (
    <>
      <DataTable
        label="History"
        className="stack audit"
        heads={auditColumns}
        of={{ ...page, data: page.data?.entries }}
        empty="No entries yet."
      >
        {(entry) => <EntryRow key={entry.id} entry={entry} isOfOnePlayer />}
      </DataTable>
      <div className="bar">
        <CursorPagination cursors={pages} page={page} />
      </div>
    </>
  );
}

const accounts = [...balanceKinds, 'held'] as const;
const options = [
  { value: '', label: 'All accounts' },
  ...accounts.map((value) => ({ value, label: balanceLabels[value] })),
];

function BalancesPart({ playerId, changes }: { playerId: number; changes: number }) {
  const api = useApi();
  const [account, setAccount] = useState<LedgerLine['account']>();
  const pages = useCursors(account),
    { cursor } = pages;
  const page = useResource(
    (signal) => api.getPlayerLedger({ id: playerId, account, cursor }, { signal }),
    [api, playerId, account, cursor, changes],
    detailOr('Failed to fetch the ledger'),
  );

  return (
    <>
      <div className="bar">
        <Select
          label="Account"
          options={options}
          value={account ?? ''}
          onChange={({ target }) => setAccount(accounts.find((known) => known === target.value))}
        />
        <CursorPagination cursors={pages} page={page} />
      </div>
      <DataTable
        label="Ledger"
        className="stack player-ledger"
        heads={[
          'When',
          'Type',
          'Account',
          ['Amount', 'number'],
          ['Balance after', 'number'],
          'By',
          'Reason',
          'Reference',
        ]}
        of={{ ...page, data: page.data?.lines }}
        empty="No entries yet."
      >
        {(line) => (
          <tr key={`${line.id}-${line.account}`}>
            <td className="head">
              <DateTime at={line.created_at} />
            </td>
            <td className="type">{orDash(line.transaction_type)}</td>
            <td className="account">{balanceLabels[line.account] ?? orDash(line.account)}</td>
            <td className="number amount">
              <Money amount={line.amount} signed />
            </td>
            <td className="number after" data-label="Balance">
              <Money amount={line.balance} />
            </td>
            <td className="by">{line.by ?? 'Platform'}</td>
            <td className={columnClass('reason', formatReason(line))}>{formatReason(line)}</td>
            <td className={columnClass('reference', orDash(line.money_id))} data-label="Reference">
              <CopyableText what="Reference" text={line.money_id} />
            </td>
          </tr>
        )}
      </DataTable>
    </>
  );
}
