import { useState } from 'react';
import { MASK } from '../../../contract/constants';
import type { Player, PlayerCredential, PlayerCredentialForm } from '../../../contract/entities';
import { orDash, toFieldText } from '../../api/parse';
import { useCall } from '../../hooks/useCall';
import { useForm } from '../../hooks/useForm';
import { CopyButton } from '../../parts/CopyButton';
import { CopyPassword } from '../../parts/logins/CopyPassword';
import { OpenPanel } from '../../parts/logins/OpenPanel';
import { useApi, useFeature, useRefusal } from '../../state/session';
import { DataTable } from '../../ui/DataTable';
import { Dialog } from '../../ui/Dialog';
import { FormError } from '../../ui/FormError';
import { focusOnMount } from '../../ui/focusOnMount';
import { AddLogin, LoginSwitch } from './AddLogin';
import { deniedOr } from './errorMessages';

/** A player's credentials at game platforms. */
export const PlatformCredentials = ({ player, onClose }: { player: Player; onClose: () => void }) => (
  <Dialog title="Platform Credentials" wide withClose onClose={onClose}>
    <p>{player.email}</p>
    <Logins player={player} label="Platform Credentials" />
  </Dialog>
);

type Owner = Pick<Player, 'id' | 'tenant_id'>;

type LoginsProps = { player: Owner; label: string; show?: (platform: unknown) => string };
/** Logins of a player, edited in the row. A stored password is never shown, whatever the server sends. */
export function Logins({ player, label, show = orDash }: LoginsProps) {
  const api = useApi();
  const [editingId, setEditingId] = useState<number | null>(null);
  const refusal = useRefusal('support');
  const hasTools = useFeature('player_logins');
  const [editedId, setEditedId] = useState<number | null>(null);
  const credentials = useCall(
    api.listPlayerCredentials,
    { id: player.id },
    deniedOr('Failed to fetch platform credentials'),
  );
  const { reload, data: logins = [] } = credentials;
  return (
    <>
      {refusal && (
        <p>
          <small>{refusal}</small>
        </p>
      )}
      <DataTable
        label={label}
        className="stack lines"
        heads={['Platform', 'Username', 'Password', 'Active', 'Actions']}
        of={credentials}
        empty="No platform credentials found for this user."
      >
        {(credential) =>
          credential.id === editingId ? (
            <EditedRow
              key={credential.id}
              {...{ player, credential, reload }}
              onClose={() => {
                setEditedId(editingId);
                setEditingId(null);
              }}
            />
          ) : (
            <tr key={credential.id}>
              <td data-label="Platform">{show(credential.platform_name)}</td>
              <td data-label="Username">
                {orDash(credential.platform_username)}{' '}
                {hasTools && <CopyButton what="Username" text={credential.platform_username} />}
              </td>
              <td data-label="Password">
                {credential.platform_password ? MASK : '-'}{' '}
                {hasTools && <CopyPassword playerId={player.id} login={credential} />}
              </td>
              <td data-label="Active">
                {credential.is_active ? 'Yes' : 'No'}{' '}
                {hasTools && !refusal && (
                  <LoginSwitch player={player} login={credential} logins={logins} reload={reload} />
                )}
              </td>
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
                {hasTools && <OpenPanel url={credential.panel_url} />}
              </td>
            </tr>
          )
        }
      </DataTable>
      {hasTools && !refusal && <AddLogin player={player} logins={logins} reload={reload} />}
    </>
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

interface EditedRowProps {
  player: Owner;
  credential: PlayerCredential;
  reload: () => Promise<unknown>;
  onClose: () => void;
}
function EditedRow({ player, credential, reload, onClose }: EditedRowProps) {
  const api = useApi();
  const toBody = ({ username, password }: { username: string; password: string }) =>
    getChanges(credential, username.trim(), password);
  const form = useForm({
    initial: { username: nameOf(credential), password: '' },
    check(typed) {
      const isChanged = toBody(typed) !== null;
      if (!isChanged) onClose();
      return isChanged;
    },
    send: (typed, options) => {
      const ids = { user_id: player.id, credential_id: credential.id };
      return api.updatePlayerCredential({ ...ids, body: toBody(typed) ?? {} }, options);
    },
    done: 'Platform credential updated',
    failed: deniedOr('Failed to update platform credential'),
    reload,
    onDone: onClose,
  });
  const formId = `credential-${credential.id}`;

  return (
    <tr>
      <td data-label="Platform">{orDash(credential.platform_name)}</td>
      <td data-label="Username">
        <input
          form={formId}
          aria-label="Username"
          required={nameOf(credential) !== ''}
          ref={focusOnMount}
          autoComplete="off"
          {...form.field('username')}
        />
      </td>
      <td data-label="Password">
        <input
          form={formId}
          aria-label="Password"
          type="password"
          autoComplete="new-password"
          placeholder="Leave blank to keep"
          {...form.field('password')}
        />
      </td>
      <td data-label="Active">{credential.is_active ? 'Yes' : 'No'}</td>
      <td className="actions">
        <form id={formId} onSubmit={form.onSubmit}>
          <button className="main" disabled={form.busy}>
            Save
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </form>
        <FormError reason={form.reason} />
      </td>
    </tr>
  );
}
