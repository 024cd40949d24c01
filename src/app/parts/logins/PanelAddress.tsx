import type { MyPlatform } from '../../../contract/entities';
import { useForm } from '../../hooks/useForm';
import { useApi, useMay } from '../../state/session';
import { Field } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';
import { DialogButton } from '../DialogButton';
import { OpenPanel } from './OpenPanel';

interface Props {
  platform: MyPlatform;
  name: string;
  query: { tenant_id?: number | undefined };
  reload: () => Promise<unknown>;
}

/** Where the tenant's staff work at a platform: the way there, and the form of its address. */
export function PanelAddress(props: Props) {
  const mayChange = useMay('settings');
  return (
    <>
      <OpenPanel url={props.platform.panel_url} />
      {mayChange && (
        <DialogButton className="" dialog={(onClose) => <AddressForm {...props} onClose={onClose} />}>
          Panel address
        </DialogButton>
      )}
    </>
  );
}

function AddressForm({ platform, name, query, reload, onClose }: Props & { onClose: () => void }) {
  const api = useApi();
  const form = useForm({
    initial: { panel_url: platform.panel_url ?? '' },
    draft: `panel ${platform.id} ${query.tenant_id}`,
    send: ({ panel_url }) => api.savePanelAddress({ id: platform.id, ...query, body: { panel_url: panel_url.trim() } }),
    done: 'Panel address saved',
    failed: 'Failed to save the panel address',
    shownAt: ['panel_url'],
    reload,
    onDone: onClose,
  });
  return (
    <FormDialog title="Panel address" noValidate {...form.dialog} onClose={onClose}>
      <p>{name}</p>
      <Field
        label="Address"
        type="url"
        placeholder="https://"
        maxLength={500}
        hint="Where your staff work at this platform. Leave it empty to remove it."
        {...form.field('panel_url')}
      />
    </FormDialog>
  );
}
