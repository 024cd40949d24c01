import type { OwnSession } from '../../../contract/entities';
import { orDash } from '../../api/parse';
import { detailOr } from '../../hooks/useErrorToast';
import type { Resource } from '../../hooks/useResource';
import { useAskedAction } from '../../parts/useAskedAction';
import { useDialogApi } from '../../state/useDialogApi';
import { Button } from '../../ui/Button';
import { DataTable } from '../../ui/DataTable';
import { DateTime } from '../../ui/DateTime';
import { formatCountOf } from '../../ui/formatCount';

const columns = ['Signed in', 'Last seen', 'Address', 'Browser', 'Actions'];

/** The user's sessions, each of which can be ended. */
export function SessionsPart({ sessions }: { sessions: Resource<OwnSession[]> }) {
  const api = useDialogApi();
  const others = sessions.data?.filter(({ is_current }) => !is_current) ?? [];
  const endOthers = useAskedAction(api.endOtherSessions, {
    done: 'All other sessions ended',
    failed: detailOr('Failed to end the sessions'),
    onDone: sessions.reload,
    question: 'Sign out other sessions?',
    about: `${formatCountOf(others.length, 'session')}: ${others.map(describe).join('; ')}`,
    submit: 'Sign out',
    hasNoReason: true,
  });

  return (
    <section aria-label="Sessions">
      <h3>Sessions</h3>
      <DataTable label="Your sessions" heads={columns} of={sessions}>
        {(session) => <SessionRow key={session.id} session={session} reload={sessions.reload} />}
      </DataTable>
      <Button disabled={endOthers.busy || others.length === 0} onClick={() => void endOthers.ask({})}>
        Sign out other sessions
      </Button>
      {endOthers.dialog}
    </section>
  );
}

/** Where it was signed in. */
const describe = ({ browser, address }: OwnSession) => `${orDash(browser)}, ${orDash(address)}`;

function SessionRow({ session, reload }: { session: OwnSession; reload: () => Promise<void> }) {
  const api = useDialogApi();
  const end = useAskedAction(api.endSession, {
    done: 'Session ended',
    failed: detailOr('Failed to end the session'),
    onDone: reload,
    question: 'End this session?',
    about: describe(session),
    submit: 'End',
    hasNoReason: true,
  });
  return (
    <tr>
      <td data-label="Signed in">
        <DateTime at={session.created_at} />
      </td>
      <td data-label="Last seen">
        <DateTime at={session.last_seen_at} />
      </td>
      <td>{orDash(session.address)}</td>
      <td>{orDash(session.browser)}</td>
      <td className="actions">
        {session.is_current ? (
          <span className="chip success">This session</span>
        ) : (
          <button type="button" className="danger" disabled={end.busy} onClick={() => void end.ask({ id: session.id })}>
            End
          </button>
        )}
        {end.dialog}
      </td>
    </tr>
  );
}
