import { useCall } from '../hooks/useCall';
import { useForm } from '../hooks/useForm';
import { useFeature } from '../state/session';
import { useDialogApi } from '../state/useDialogApi';
import { Field } from '../ui/Field';
import { FormDialog } from '../ui/FormDialog';
import { DialogButton } from './DialogButton';
import { OwnPassword } from './OwnPassword';

/** From where the people of a tenant sign in; without a tenant, those of the signed-in person's own. */
export function AllowedNetworks({ tenantId }: { tenantId?: number | undefined }) {
  if (!useFeature('allowed_networks')) return null;
  return <DialogButton dialog={(onClose) => <Loaded {...{ tenantId, onClose }} />}>Networks</DialogButton>;
}

type Props = { tenantId: number | undefined; onClose: () => void };
function Loaded({ tenantId, onClose }: Props) {
  const api = useDialogApi();
  const found = useCall(api.getAllowedNetworks, { tenant_id: tenantId }, 'Failed to fetch the networks');
  return found.data && <NetworksForm {...{ tenantId, onClose }} {...found.data} />;
}

type NetworksFormProps = Props & { networks: readonly string[]; your_address: string };
function NetworksForm({ tenantId, networks, your_address, onClose }: NetworksFormProps) {
  const api = useDialogApi();
  const form = useForm({
    initial: { networks: networks.join(' '), current: '', code: '' },
    secrets: ['current', 'code'],
    send({ networks, current, code }, options) {
      const body = {
        networks: networks.split(/[\s,]+/).filter(Boolean),
        current_password: current,
        ...(code && { code }),
        tenant_id: tenantId,
      };
      return api.saveAllowedNetworks({ body }, options);
    },
    done: 'Networks saved',
    failed: 'Failed to save the networks',
    onDone: onClose,
  });
  return (
    <FormDialog title="Networks" {...form.dialog} onClose={onClose}>
      <Field
        label="Allowed networks"
        hint={`Such as 192.0.2.0/24, with blanks between; empty for all. Your address is ${your_address}.`}
        {...form.field('networks')}
      />
      <div className="grid">
        <OwnPassword {...form.field('current')} code={form.field('code')} />
      </div>
    </FormDialog>
  );
}
