import { useCall } from '../../hooks/useCall';
import { detailOr } from '../../hooks/useErrorToast';
import { type Saving, useForm } from '../../hooks/useForm';
import { PlatformSelect } from '../../parts/logins/PlatformSelect';
import { noMoney, type PlayerMoney, PlayerMoneyDialog, readMoney } from '../../parts/PlayerMoneyDialog';
import { useApi } from '../../state/session';

type Props = Saving & { tenantId: number | undefined };
/** What a player won comes back from a game platform. */
export function RecordReturn({ tenantId, onClose, onSaved }: Props) {
  const api = useApi();
  const form = useForm<PlayerMoney>({
    initial: noMoney,
    draft: `return ${tenantId ?? ''}`,
    check(typed) {
      const body = readMoney(typed);
      return typeof body === 'string' ? body : true;
    },
    async send(typed, options) {
      const body = readMoney(typed),
        { platform, player } = typed;
      if (typeof body === 'string') return;
      const owner = player?.tenant_id !== undefined && { tenant_id: player.tenant_id };
      await api.createReturn({ body: { ...body, platform, ...owner } }, options);
    },
    done: 'Return recorded',
    failed: detailOr('Failed to record the return'),
    reload: onSaved,
    onDone: onClose,
  });
  const { id, tenant_id = tenantId } = form.values.player ?? {};
  const logins = useCall(api.listPlayerCredentials, id === undefined ? null : { id }, null);
  return (
    <PlayerMoneyDialog
      title="Record Return"
      submit="Record"
      form={form}
      tenantId={tenantId}
      platform={<PlatformSelect tenantId={tenant_id} logins={logins.data} {...form.field('platform')} />}
      {...(tenantId === undefined && { cleared: { platform: '' } })}
      onClose={onClose}
    />
  );
}
