import type { IdentityProvider as Provider } from '../../contract/entities';
import { permissionPresets } from '../../contract/permissions';
import { useCall } from '../hooks/useCall';
import { useForm } from '../hooks/useForm';
import { useFeature } from '../state/session';
import { useDialogApi } from '../state/useDialogApi';
import { CheckBox } from '../ui/CheckBox';
import { Field } from '../ui/Field';
import { FormDialog } from '../ui/FormDialog';
import { Select } from '../ui/Select';
import { CopyField } from './CopyField';
import { DialogButton } from './DialogButton';
import { OwnPassword } from './OwnPassword';
import { describePermissions, fromText } from './PermissionFields';
import { SecretField } from './SecretField';

/** How the people of a tenant sign in with their company; without a tenant, those of the signed-in person's own. */
export function IdentityProvider({ tenantId }: { tenantId?: number | undefined }) {
  if (!useFeature('sso')) return null;
  return <DialogButton dialog={(onClose) => <Loaded {...{ tenantId, onClose }} />}>Single sign-on</DialogButton>;
}

type Props = { tenantId: number | undefined; onClose: () => void };
function Loaded({ tenantId, onClose }: Props) {
  const api = useDialogApi();
  const found = useCall(api.getIdentityProvider, { tenant_id: tenantId }, 'Failed to fetch the identity provider');
  return found.data && <ProviderForm {...{ tenantId, onClose }} provider={found.data} />;
}

/** A line for each group: 'cashiers: Cashier', or permissions by their names. */
const toLines = (groups: Provider['groups']): string =>
  groups.map(({ group, permissions }) => `${group}: ${describePermissions(permissions)}`).join('\n');
function fromLines(text: string): Provider['groups'] | string {
  const groups: Provider['groups'] = [];
  for (const line of text.split('\n').filter((line) => line.trim())) {
    const [, group = '', job = ''] = /^(.*):\s*(.*?)\s*$/.exec(line) ?? [];
    const named = fromText(job.toLowerCase().replaceAll(',', ' '));
    const permissions = permissionPresets[job] ?? (named.length || job === 'View only' ? named : null);
    if (!group.trim() || !permissions) return `'${line}' is no group with a job, such as 'cashiers: Cashier'`;
    groups.push({ group: group.trim(), permissions: [...permissions] });
  }
  return groups;
}

function ProviderForm({ tenantId, provider, onClose }: Props & { provider: Provider }) {
  const api = useDialogApi();
  const { redirect_uri, sign_out_uri, accounts, groups, break_glass_admin_id, ...stored } = provider;
  const form = useForm({
    initial: { ...stored, groups: toLines(groups), kept: String(break_glass_admin_id ?? ''), current: '', code: '' },
    secrets: ['client_secret', 'current', 'code'],
    check: ({ groups }) => fromLines(groups),
    send({ groups, kept, current, code, ...typed }, options) {
      const found = fromLines(groups);
      const body = {
        ...typed,
        groups: typeof found === 'string' ? [] : found,
        break_glass_admin_id: kept ? Number(kept) : null,
        current_password: current,
        ...(code && { code }),
        tenant_id: tenantId,
      };
      return api.saveIdentityProvider({ body }, options);
    },
    done: 'Single sign-on saved',
    failed: 'Failed to save single sign-on',
    onDone: onClose,
  });
  const { field, values } = form;
  return (
    <FormDialog title="Single sign-on" {...form.dialog} onClose={onClose}>
      <CheckBox role="switch" label="Offer single sign-on" {...form.box('is_active')} />
      <fieldset>
        <legend>What the provider needs</legend>
        <CopyField label="Redirect address for the provider" value={redirect_uri} hint="It also starts a sign-in." />
        <CopyField label="Address after signing out" value={sign_out_uri} />
      </fieldset>
      <fieldset>
        <legend>What the provider gives you</legend>
        <Field label="Issuer" inputMode="url" required hint="Such as https://login.example.com" {...field('issuer')} />
        <div className="grid">
          <Field label="Client ID" required autoComplete="off" {...field('client_id')} />
          <SecretField label="Client secret" required {...field('client_secret')} />
        </div>
      </fieldset>
      <details
        open={stored.only_sso || groups.length > 0}
        onInvalidCapture={({ currentTarget }) => (currentTarget.open = true)}
      >
        <summary>Optional: jobs by group, and no passwords</summary>
        <Field label="Claim with the groups" required autoComplete="off" {...field('groups_claim')} />
        <label>
          Groups and their jobs
          <textarea rows={3} placeholder="cashiers: Cashier" {...field('groups')} />
        </label>
        <p>One a line. Then a sign-in needs such a group, and new people get an account by it.</p>
        <CheckBox role="switch" label="Only single sign-on: passwords are refused" {...form.box('only_sso')} />
        {values.only_sso && (
          <Select
            label="Account that keeps its password"
            required
            options={[
              { value: '', label: 'Choose an account' },
              ...accounts.map(({ id, email }) => ({ value: id, label: email })),
            ]}
            {...field('kept')}
          />
        )}
      </details>
      <fieldset>
        <legend>To save</legend>
        <div className="grid">
          <OwnPassword {...field('current')} code={field('code')} />
        </div>
      </fieldset>
    </FormDialog>
  );
}
