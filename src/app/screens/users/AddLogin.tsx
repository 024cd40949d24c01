import type { Player, PlayerCredential } from '../../../contract/entities';
import { orDash } from '../../api/parse';
import { useAction } from '../../hooks/useAction';
import { useForm } from '../../hooks/useForm';
import { DialogButton } from '../../parts/DialogButton';
import { PlatformSelect } from '../../parts/logins/PlatformSelect';
import { useQuestion } from '../../parts/useQuestion';
import { useApi } from '../../state/session';
import { Field } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';

interface Props {
  player: Pick<Player, 'id' | 'tenant_id'>;
  logins: readonly PlayerCredential[];
  reload: () => Promise<unknown>;
}

/** Asks before a login takes the place of the active one at its platform. */
function useReplacing({ logins }: Pick<Props, 'logins'>, platform: string) {
  const former = logins.find(
    ({ is_active, platform_name }) =>
      is_active && orDash(platform_name).toLowerCase() === orDash(platform).toLowerCase(),
  );
  const question = useQuestion({
    question: `Replace '${former?.platform_username}'?`,
    about: `A player has one active login per platform. '${former?.platform_username}' at ${platform} is switched off.`,
    submit: 'Replace',
    hasNoReason: true,
  });
  return {
    dialog: question.dialog,
    /** What to send; null for no change. */
    ask: async () => (!former ? {} : (await question.ask()) ? { replaces: true } : null),
  };
}

/** A button with the form of a new login. */
export const AddLogin = (props: Props) => (
  <DialogButton dialog={(onClose) => <LoginForm {...props} onClose={onClose} />}>Add login</DialogButton>
);

function LoginForm({ player, logins, reload, onClose }: Props & { onClose: () => void }) {
  const api = useApi();
  const form = useForm<{ platform: string; username: string; password: string; replaces?: boolean }>({
    initial: { platform: '', username: '', password: '' },
    draft: `login of ${player.id}`,
    secrets: ['password'],
    send: ({ platform, username, password, replaces }, options) => {
      const body = { platform_name: platform, platform_username: username.trim(), replaces };
      return api.createPlayerCredential(
        { user_id: player.id, body: { ...body, ...(password && { platform_password: password }) } },
        options,
      );
    },
    done: 'Login added',
    failed: 'Failed to add the login',
    reload,
    onDone: onClose,
  });
  const { field } = form,
    { platform, username } = form.values;
  const replacing = useReplacing({ logins }, platform);
  async function submit() {
    const more = await replacing.ask();
    if (more) await form.submit(more);
  }
  return (
    <>
      <FormDialog
        title="Add login"
        submit="Add"
        {...form.dialog}
        disabled={!platform || !username.trim()}
        onSubmit={() => void submit()}
        onClose={onClose}
      >
        <PlatformSelect tenantId={player.tenant_id} {...field('platform')} />
        <Field label="Username" autoComplete="off" maxLength={200} {...field('username')} />
        <Field label="Password" type="password" autoComplete="new-password" hint="Optional" {...field('password')} />
      </FormDialog>
      {replacing.dialog}
    </>
  );
}

/** Switches a login off and on; the only active one at its platform. */
export function LoginSwitch({ player, login, logins, reload }: Props & { login: PlayerCredential }) {
  const api = useApi();
  const replacing = useReplacing({ logins }, login.platform_name);
  const action = useAction(api.togglePlayerCredential, {
    done: login.is_active ? 'Login switched off' : 'Login switched on',
    failed: 'Failed to switch the login',
    onDone: reload,
  });
  async function toggle() {
    const is_active = !login.is_active;
    const more = is_active ? await replacing.ask() : {};
    const ids = { user_id: player.id, credential_id: login.id };
    if (more) await action.run({ ...ids, body: { is_active, ...more } });
  }
  return (
    <label className="switch">
      <input
        type="checkbox"
        role="switch"
        aria-label={`${login.platform_username} at ${login.platform_name} is active`}
        checked={login.is_active}
        disabled={action.busy}
        aria-busy={action.busy}
        onChange={() => void toggle()}
      />
      {replacing.dialog}
    </label>
  );
}
