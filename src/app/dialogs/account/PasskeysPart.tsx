import { useState } from 'react';
import type { Passkey } from '../../../contract/entities';
import { detailOr } from '../../hooks/useErrorToast';
import { type Form, useForm } from '../../hooks/useForm';
import type { Resource } from '../../hooks/useResource';
import { OwnPassword } from '../../parts/OwnPassword';
import { hasPasskeys, makePasskey, whyNoPasskey } from '../../parts/passkey';
import { useDialogApi } from '../../state/useDialogApi';
import { Button } from '../../ui/Button';
import { DataTable } from '../../ui/DataTable';
import { DateTime } from '../../ui/DateTime';
import { Field } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';

const columns = ['Name', 'Added', 'Last used', 'Actions'];

interface Opened {
  hasTwoFactor: boolean;
  onClose: () => void;
  reload: () => Promise<unknown>;
}

type Props = { hasTwoFactor: boolean; passkeys: Resource<Passkey[]>; onRemoved: () => Promise<unknown> };
/** The user's passkeys: adds one, and removes one. */
export function PasskeysPart({ hasTwoFactor, passkeys, onRemoved }: Props) {
  const [open, setOpen] = useState<Passkey | 'new' | null>(null);
  const opened = { hasTwoFactor, onClose: () => setOpen(null) };

  return (
    <section aria-label="Passkeys">
      <h3>Passkeys</h3>
      <p>
        Sign in with a finger, your face or a PIN, in place of password and code. These stay another way in. A passkey
        does not work on a copy of this page that somebody has made to catch passwords.
      </p>
      <DataTable label="Your passkeys" heads={columns} of={passkeys} empty="No passkeys yet">
        {(passkey) => (
          <tr key={passkey.id}>
            <td className="head">
              {passkey.name} {passkey.backed_up && <span className="chip success">Synced</span>}
            </td>
            <td data-label="Added">
              <DateTime at={passkey.created_at} />
            </td>
            <td data-label="Last used">
              <DateTime at={passkey.last_used_at} />
            </td>
            <td className="actions">
              <button type="button" className="danger" onClick={() => setOpen(passkey)}>
                Remove
              </button>
            </td>
          </tr>
        )}
      </DataTable>
      {hasPasskeys() ? (
        <Button onClick={() => setOpen('new')}>Add passkey</Button>
      ) : (
        <p>
          <small>This browser cannot make passkeys here.</small>
        </p>
      )}
      {open === 'new' && <AddPasskey {...opened} reload={passkeys.reload} />}
      {open !== null && open !== 'new' && (
        <RemovePasskey {...opened} passkey={open} reload={() => Promise.all([passkeys.reload(), onRemoved()])} />
      )}
    </section>
  );
}

interface Typed {
  name: string;
  password: string;
  code: string;
}

function AddPasskey({ hasTwoFactor, onClose, reload }: Opened) {
  const api = useDialogApi();
  const form: Form<Typed> = useForm({
    initial: { name: '', password: '', code: '' },
    async send({ name, ...body }, options) {
      const asked = await api.beginNewPasskey({ body }, options);
      form.set({ code: '' }); // used up, whatever comes of it
      return api.addPasskey({ body: { name, ...(await makePasskey(asked)) } }, options);
    },
    done: 'Passkey added',
    failed: (error) =>
      whyNoPasskey('Failed to add the passkey')(error) +
      (hasTwoFactor && error instanceof DOMException ? ' Enter the next code.' : ''),
    reload,
    onDone: onClose,
  });
  return (
    <FormDialog title="Add passkey" submit="Add" {...form.dialog} onClose={onClose}>
      <Field
        label="Name"
        required
        maxLength={60}
        autoComplete="off"
        hint="Where it is, such as: work laptop"
        {...form.field('name')}
      />
      <div className="grid">
        <OwnPassword hasTwoFactor={hasTwoFactor} {...form.field('password')} code={form.field('code')} />
      </div>
    </FormDialog>
  );
}

function RemovePasskey({ passkey, hasTwoFactor, onClose, reload }: Opened & { passkey: Passkey }) {
  const api = useDialogApi();
  const form = useForm({
    initial: { password: '', code: '' },
    send: (body, options) => api.removePasskey({ id: passkey.id, body }, options),
    done: 'Passkey removed',
    failed: detailOr('Failed to remove the passkey'),
    reload,
    onDone: onClose,
  });
  return (
    <FormDialog title="Remove this passkey?" submit="Remove" isDangerous {...form.dialog} onClose={onClose}>
      <p>{passkey.name}. Nobody can sign in with it any more, and your other sessions end.</p>
      <div className="grid">
        <OwnPassword hasTwoFactor={hasTwoFactor} {...form.field('password')} code={form.field('code')} />
      </div>
    </FormDialog>
  );
}
