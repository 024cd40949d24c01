import type { Player } from '../../../contract/entities';
import { mayEnterTenant } from '../../../contract/rules';
import { useAction } from '../../hooks/useAction';
import { joinDrafts, useDraft } from '../../hooks/useDraft';
import { useFields } from '../../hooks/useFields';
import { FormError, useFormError } from '../../parts/FormError';
import { useApi, useUser } from '../../state/session';
import { Field } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';
import { outsideTenant, saveDeniedOr } from './errorMessages';

/** Creates a player in `tenantId`, or edits `player` (docs/product.md, "Users"). */
export function UserForm({
  player,
  tenantId,
  onClose,
  onSaved,
}: {
  player: Player | null;
  tenantId: number | undefined;
  onClose: () => void;
  onSaved: () => Promise<unknown>;
}) {
  const api = useApi();
  const user = useUser();
  const name = player ? `user ${player.id}` : `new user of ${tenantId}`;
  const { values, field, ...fields } = useFields(
    {
      email: player?.email ?? '',
      password: '',
      first_name: player?.first_name ?? '',
      last_name: player?.last_name ?? '',
      phone_number: player?.phone_number ?? '',
      referral_id: player?.referral_id ?? '',
      affiliate_id: player?.affiliate_id ?? '',
    },
    { draft: name, secrets: ['password'] },
  );
  const active = useDraft<{ isActive: boolean | undefined }>(`${name}, active`, {
    isActive: player ? player.is_active : true,
  });
  const { isActive } = active.value;
  const draft = joinDrafts(fields.draft, active);
  const formError = useFormError();

  const save = useAction(
    async (_typed: object, options) => {
      const owner = player ? player.tenant_id : tenantId;
      if (!mayEnterTenant(user, owner)) throw outsideTenant();
      const { password, ...profile } = { ...values, email: values.email.trim() };
      // Some servers do not say whether a player is active. Then only a choice made here is sent, so that saving does
      // not reactivate a player.
      const activity = isActive === undefined ? {} : { is_active: isActive };
      if (player)
        await api.updatePlayer({ id: player.id, body: { ...profile, ...(password && { password }), ...activity } });
      else if (tenantId !== undefined)
        await api.createPlayer({ body: { ...profile, password, ...activity, tenant_id: tenantId } }, options);
    },
    {
      done: player ? 'User updated' : 'User created',
      failed: formError.withMessage(saveDeniedOr('Failed to save user')),
      onDone: onSaved,
    },
  );

  async function submit() {
    formError.clear();
    if (!(await save.run({ values, isActive }))) return;
    draft.clear();
    onClose();
  }

  return (
    <FormDialog
      title={player ? 'Edit User' : 'Create User'}
      disabled={save.busy}
      draft={draft}
      onClose={onClose}
      onSubmit={submit}
    >
      <div className="grid">
        <Field label="Email" type="email" required autoComplete="off" {...field('email')} />
        <Field
          label="Password"
          type="password"
          required={!player}
          autoComplete="new-password"
          {...(player && { hint: 'Leave blank to keep current password' })}
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
          checked={isActive ?? false}
          onChange={(event) => active.set({ isActive: event.target.checked })}
          ref={(box) => {
            if (box) box.indeterminate = isActive === undefined;
          }}
        />
        Active
      </label>
      <FormError error={formError} />
    </FormDialog>
  );
}
