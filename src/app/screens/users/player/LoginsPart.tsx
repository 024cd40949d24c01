import { MASK } from '../../../../contract/constants';
import { orDash } from '../../../api/parse';
import { detailOr } from '../../../hooks/useErrorToast';
import { useResource } from '../../../hooks/useResource';
import { CopyableText } from '../../../parts/details/CopyableText';
import { useApi } from '../../../state/session';
import { DataTable } from '../../../ui/DataTable';

/** A stored password is never shown, whatever the server sends. */
export function LoginsPart({ playerId }: { playerId: number }) {
  const api = useApi();
  const rows = useResource(
    (signal) => api.listPlayerCredentials({ id: playerId }, { signal }),
    [api, playerId],
    detailOr('Failed to fetch platform credentials'),
  );
  return (
    <DataTable
      label="Platform Logins"
      heads={['Platform', 'Username', 'Password', 'Active']}
      of={rows}
      empty="No platform credentials found for this user."
    >
      {(row) => (
        <tr key={row.id}>
          <td className="head">{orDash(row.platform_name)}</td>
          <td>
            <CopyableText what="Username" text={row.platform_username} />
          </td>
          <td data-label="Password">{row.platform_password ? MASK : '-'}</td>
          <td data-label="Active">{row.is_active ? 'Yes' : 'No'}</td>
        </tr>
      )}
    </DataTable>
  );
}
