import { useState } from 'react';
import { MASK } from '../../../contract/constants';
import type { Player, PlayerCredential, PlayerCredentialForm } from '../../../contract/entities';
import { orDash, toFieldText } from '../../api/parse';
import { useAction } from '../../hooks/useAction';
import { useResource } from '../../hooks/useResource';
import { FormError, useFormError } from '../../parts/FormError';
import { useApi, useRefusal } from '../../state/session';
import { CloseButton, Dialog } from '../../ui/Dialog';
import { focusOnMount } from '../../ui/focusOnMount';
import { Rows } from '../../ui/Rows';
import { TableFrame } from '../../ui/TableFrame';
import { deniedOr } from './errorMessages';

/**
 * A player's credentials at game platforms, edited in the row. A stored password is never shown, whatever the server
 * sends.
 */
export function PlatformCredentials({ player, onClose }: { player: Player; onClose: () => void }) {
  const api = useApi();
  const [editingId, setEditingId] = useState<number | null>(null);
  const refusal = useRefusal('support');
  const [editedId, setEditedId] = useState<number | null>(null);
  const credentials = useResource(
    (signal) => api.listPlayerCredentials({ id: player.id }, { signal }),
    [api, player.id],
    deniedOr('Failed to fetch platform credentials'),
  );
  return (
    <Dialog title="Platform Credentials" wide onClose={onClose}>
      <p>{player.email}</p>
      {refusal && (
        <p>
          <small>{refusal}</small>
        </p>
      )}
      <TableFrame label="Platform Credentials">
        <table className="stack">
          <thead>
            <tr>
              <th>Platform</th>
              <th>Username</th>
              <th>Password</th>
              <th>Active</th>
              <th>Actions</th>
            </tr>
          </thead>
          <Rows of={credentials} span={5} empty="No platform credentials found for this user.">
            {(credential) =>
              credential.id === editingId ? (
                <EditedRow
                  key={credential.id}
                  player={player}
                  credential={credential}
                  reload={credentials.reload}
                  onClose={() => {
                    setEditedId(editingId);
                    setEditingId(null);
                  }}
                />
              ) : (
                <tr key={credential.id}>
                  <td data-label="Platform">{orDash(credential.platform_name)}</td>
                  <td data-label="Username">{orDash(credential.platform_username)}</td>
                  <td data-label="Password">{credential.platform_password ? MASK : '-'}</td>
                  <td data-label="Active">{credential.is_active ? 'Yes' : 'No'}</td>
                  <td className="actions">
                    {!refusal && (
                      <button
                        type="button"
                        ref={credential.id === editedId ? focusOnMount : null}
                        onClick={() => setEditingId(credential.id)}
                      >
                        Edit
                      </button>
                    )}
                  </td>
                </tr>
              )
            }
          </Rows>
        </table>
      </TableFrame>
      <footer>
        <CloseButton />
      </footer>
    </Dialog>
  );
}

const nameOf = ({ platform_username }: PlayerCredential): string => toFieldText(platform_username);

/** The changed fields, which alone are sent (docs/product.md, "Users"); null if there are none. */
function getChanges(credential: PlayerCredential, username: string, password: string): PlayerCredentialForm | null {
  const form: PlayerCredentialForm = {};
  if (username !== nameOf(credential)) form.platform_username = username;
  if (password !== '' && password !== credential.platform_password) form.platform_password = password;
  return Object.keys(form).length ? form : null;
}

function EditedRow({
  player,
  credential,
  reload,
  onClose,
}: {
  player: Player;
  credential: PlayerCredential;
  reload: () => Promise<unknown>;
  onClose: () => void;
}) {
  const api = useApi();
  const [username, setUsername] = useState(nameOf(credential));
  const [password, setPassword] = useState('');
  const formError = useFormError();
  const update = useAction(api.updatePlayerCredential, {
    done: 'Platform credential updated',
    failed: formError.withMessage(deniedOr('Failed to update platform credential')),
    onDone: reload,
  });
  const form = `credential-${credential.id}`;

  async function submit() {
    formError.clear();
    const body = getChanges(credential, username.trim(), password);
    if (!body || (await update.run({ user_id: player.id, credential_id: credential.id, body }))) onClose();
  }

  return (
    <tr>
      <td data-label="Platform">{orDash(credential.platform_name)}</td>
      <td data-label="Username">
        <input
          form={form}
          aria-label="Username"
          required={nameOf(credential) !== ''}
          ref={focusOnMount}
          autoComplete="off"
          value={username}
          onChange={(event) => setUsername(event.target.value)}
        />
      </td>
      <td data-label="Password">
        <input
          form={form}
          aria-label="Password"
          type="password"
          autoComplete="new-password"
          placeholder="Leave blank to keep"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </td>
      <td data-label="Active">{credential.is_active ? 'Yes' : 'No'}</td>
      <td className="actions">
        <form
          id={form}
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <button disabled={update.busy}>Save</button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </form>
        <FormError error={formError} />
      </td>
    </tr>
  );
}
