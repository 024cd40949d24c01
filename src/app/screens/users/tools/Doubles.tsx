import { useRef } from 'react';
import type { Likeness } from '../../../../contract/doubles';
import type { PossibleDouble } from '../../../../contract/entities';
import { useCall } from '../../../hooks/useCall';
import { useCloseOnLeave } from '../../../hooks/useCloseOnLeave';
import { detailOr } from '../../../hooks/useErrorToast';
import { CursorPagination, useCursors } from '../../../parts/CursorPagination';
import { useRowFocus } from '../../../parts/queue/useRowFocus';
import { useAskedAction } from '../../../parts/useAskedAction';
import { useChosenTenant } from '../../../parts/useChosenTenant';
import { useDialogApi } from '../../../state/useDialogApi';
import { Button } from '../../../ui/Button';
import { DataTable } from '../../../ui/DataTable';
import { DateTime } from '../../../ui/DateTime';
import { CloseButton, Dialog } from '../../../ui/Dialog';
import { EmailLink } from '../../../ui/EmailLink';

const words: Record<Likeness, string> = {
  payout_address: 'Payout address',
  phone: 'Phone',
  name_and_birth_date: 'Name and birth date',
};

/** Users of a tenant who may be one person: to link, or to dismiss. */
export function Doubles({ tenantId: given, onClose }: { tenantId: number | undefined; onClose: () => void }) {
  useCloseOnLeave(onClose);
  const { tenantId: chosen, picker } = useChosenTenant('Tenant', { value: '', label: 'Choose a tenant' });
  const tenantId = given ?? chosen;
  return (
    <Dialog title="Possible doubles" wide onClose={onClose}>
      {given === undefined && picker}
      <p>Users who may be one person. Linked users keep their own balances and share breaks and limits.</p>
      {tenantId === undefined ? <p>Choose a tenant to see its users.</p> : <Pairs key={tenantId} tenantId={tenantId} />}
    </Dialog>
  );
}

function Pairs({ tenantId }: { tenantId: number }) {
  const api = useDialogApi();
  const cursors = useCursors();
  const page = useCall(
    api.getPossibleDoubles,
    { tenant_id: tenantId, cursor: cursors.cursor },
    detailOr('Failed to look for doubles'),
  );
  const { pairs, looked_to, next_cursor } = page.data ?? {};
  const isPart = next_cursor != null;
  const box = useRef<HTMLDivElement>(null);
  const focus = useRowFocus(box, pairs);
  return (
    <>
      <div ref={box} onFocus={focus.onFocus}>
        <DataTable
          label="Pairs"
          className="stack lines"
          heads={['User', 'May also be', 'The same', 'Decide']}
          of={{ ...page, data: pairs }}
          empty={isPart || cursors.newer ? 'None among these users' : 'No doubles found'}
        >
          {(pair) => {
            const place = pairs?.indexOf(pair) ?? 0;
            async function onDecided() {
              await page.reload();
              focus.at(place);
            }
            return <Pair key={`${pair.player.id} ${pair.other.id}`} {...{ pair, place, onDecided }} />;
          }}
        </DataTable>
      </div>
      <footer>
        {isPart && looked_to && (
          <small>
            Looked at users who signed up since <DateTime at={looked_to} tenantId={tenantId} />.
          </small>
        )}
        <CursorPagination cursors={cursors} page={page} />
        <CloseButton />
      </footer>
    </>
  );
}

type Props = { pair: PossibleDouble; place: number; onDecided: () => Promise<unknown> };
function Pair({ pair: { player, other, alike, is_linked }, place, onDecided }: Props) {
  const api = useDialogApi();
  const pair = { id: player.id, body: { player_id: other.id } };
  const both = `${player.email} and ${other.email}`;
  const whom = (about: string) => (
    <>
      <p>{both}</p>
      <p>{about}</p>
    </>
  );
  const link = useAskedAction(api.linkPlayers, {
    done: 'Linked',
    failed: detailOr('Failed to link'),
    onDone: onDecided,
    question: 'Link these users?',
    about: whom('A break of one stops both. What both buy and deposit counts against each limit. No money moves.'),
    submit: 'Link',
    isExtra: true,
  });
  const dismiss = useAskedAction(api.dismissPair, {
    done: 'Dismissed',
    failed: detailOr('Failed to dismiss'),
    onDone: onDecided,
    question: 'Dismiss this pair?',
    about: whom('They are different people, and are not listed as a pair again.'),
    submit: 'Dismiss',
    isExtra: true,
  });
  const busy = link.busy || dismiss.busy;
  return (
    <tr data-id={place} tabIndex={-1}>
      <th scope="row">
        <One {...player} />
      </th>
      <td data-label="May also be">
        <One {...other} />
      </td>
      <td data-label="The same">{alike.map((one) => words[one]).join(', ')}</td>
      <td className="actions">
        {is_linked ? (
          <span className="chip success">Linked</span>
        ) : (
          <>
            <Button disabled={busy} aria-label={`Link ${both}`} onClick={() => void link.ask(pair)}>
              Link
            </Button>{' '}
            <Button disabled={busy} aria-label={`Dismiss ${both}`} onClick={() => void dismiss.ask(pair)}>
              Dismiss
            </Button>
          </>
        )}
        {link.dialog}
        {dismiss.dialog}
      </td>
    </tr>
  );
}

const One = ({ id, email, name }: PossibleDouble['other']) => (
  <>
    <EmailLink email={email} playerId={id} />
    {name && (
      <div>
        <bdi>{name}</bdi>
      </div>
    )}
  </>
);
