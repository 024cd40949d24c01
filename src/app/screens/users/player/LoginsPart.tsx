import { MASK } from '../../../../contract/constants';
import { orDash } from '../../../api/parse';
import { detailOr } from '../../../hooks/useErrorToast';
import { useResource } from '../../../hooks/useResource';
import { useApi } from '../../../state/session';
import { Rows } from '../../../ui/Rows';
import { TableFrame } from '../../../ui/TableFrame';

/** A stored password is never shown, whatever the server sends. */
export function LoginsPart({ playerId }: { playerId: number }) {
  const api = useApi();
  const rows = useResource(
    (signal) => api.listPlayerCredentials({ id: playerId }, { signal }),
    [api, playerId],
    detailOr('Failed to fetch platform credentials'),
  );
  return (
    <TableFrame label="Platform Logins">
      <table>
        <thead>
          <tr>
            <th>Platform</th>
            <th>Username</th>
            <th>Password</th>
            <th>Active</th>
          </tr>
        </thead>
        <Rows of={rows} span={4} empty="No platform credentials found for this user.">
          {(row) => (
            <tr key={row.id}>
              <td>{orDash(row.platform_name)}</td>
              <td>{orDash(row.platform_username)}</td>
              <td>{row.platform_password ? MASK : '-'}</td>
              <td>{row.is_active ? 'Yes' : 'No'}</td>
            </tr>
          )}
        </Rows>
      </table>
    </TableFrame>
  );
}
