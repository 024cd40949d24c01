import { useRef } from 'react';
import type { Player } from '../../../contract/entities';
import { mayEnterTenant } from '../../../contract/rules';
import { useForm } from '../../hooks/useForm';
import { useApi, useUser } from '../../state/session';
import { Field } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';
import { outsideTenant, saveDeniedOr } from './errorMessages';

interface Props {
  player: Player | null;
  tenantId: number | undefined;
  onClose: () => void;
  /** With the id of a new player, if the server answers it. */
  onSaved: (id: number | null) => Promise<unknown>;
}
/** Creates a player in `tenantId`, or edits `player` (docs/product.md, "Users"). */
export function UserForm({ player, tenantId, onClose, onSaved }: Props) {
  const created = useRef<number>(null);
  const api = useApi();
  const user = useUser();
  const form = useForm({
    initial: {
      email: player?.email ?? '',
      password: '',
      first_name: player?.first_name ?? '',
      last_name: player?.last_name ?? '',
      phone_number: player?.phone_number ?? '',
      referral_id: player?.referral_id ?? '',
      affiliate_id: player?.affiliate_id ?? '',
      is_active: player ? player.is_active : true,
    },
    draft: player ? `user ${player.id}` : `new user of ${tenantId}`,
    secrets: ['password'],
    async send({ password, is_active, ...typed }, options) {
      const owner = player ? player.tenant_id : tenantId;
      if (!mayEnterTenant(user, owner)) throw outsideTenant();
      const profile = { ...typed, email: typed.email.trim() };
      // Where the server does not say it, only a choice made here is sent: saving must not reactivate a player.
      const activity = is_active === undefined ? {} : { is_active };
      if (player)
        await api.updatePlayer({ id: player.id, body: { ...profile, ...(password && { password }), ...activity } });
      else if (tenantId !== undefined) {
        const body = { ...profile, password, ...activity, tenant_id: tenantId };
        created.current = Object(await api.createPlayer({ body }, options)).id;
      }
    },
    done: player ? 'User updated' : 'User created',
    failed: saveDeniedOr('Failed to save user'),
    shownAt: ['email', 'password'],
    reload: () => onSaved(created.current),
    onDone: onClose,
  });
  const { field } = form,
    { is_active } = form.values;

  return (
    <FormDialog title={player ? 'Edit User' : 'Create User'} {...form.dialog} onClose={onClose}>
      <div className="grid">
        <Field label="Email" type="email" required autoComplete="off" {...field('email')} />
        <Field
          label="Password"
          type="password"
          required={!player}
          autoComplete="new-password"
          hint={player ? 'Leave blank to keep current password' : user.features && 'Any password that is not empty'}
          {...field('password')}
        />
      </div>
      <div className="grid">
        <Field label="First Name" {...field('first_name')} />
        <Field label="Last Name" {...field('last_name')} />
      </div>
      <Field label="Phone Number" type="tel" {...field('phone_number')} />
      <div className="grid">
        <Field label="Referral ID" {...field('referral_id')} />
        <Field label="Affiliate ID" {...field('affiliate_id')} />
      </div>
      <label>
        <input
          type="checkbox"
          checked={is_active ?? false}
          onChange={(event) => form.set({ is_active: event.target.checked })}
          ref={(box) => {
            if (box) box.indeterminate = is_active === undefined;
          }}
        />
        Active
      </label>
    </FormDialog>
  );
}
