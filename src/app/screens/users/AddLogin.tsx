import { useState } from 'react';
import type { Player, PlayerCredential } from '../../../contract/entities';
import { orDash } from '../../api/parse';
import { useAction } from '../../hooks/useAction';
import { useForm } from '../../hooks/useForm';
import { useResource } from '../../hooks/useResource';
import { useQuestion } from '../../parts/useQuestion';
import { useApi, useUser } from '../../state/session';
import { STILL_WAITING } from '../../state/toasts';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';
import { Select } from '../../ui/Select';

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
export function AddLogin(props: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Add login
      </Button>
      {isOpen && <LoginForm {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function LoginForm({ player, logins, reload, onClose }: Props & { onClose: () => void }) {
  const api = useApi();
  const platforms = useActivePlatforms(player.tenant_id);
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
  const { platform, username } = form.values;
  const replacing = useReplacing({ logins }, platform);
  async function submit() {
    const more = await replacing.ask();
    if (more) await form.submit(more);
  }
  const first = platforms.data ? 'Choose a platform' : platforms.slow ? STILL_WAITING : 'Loading…';
  return (
    <>
      <FormDialog
        title="Add login"
        submit="Add"
        {...form.dialog}
        disabled={!platform || !username.trim()}
        hint={platforms.data?.length === 0 ? 'No platform is active for this tenant.' : undefined}
        onSubmit={() => void submit()}
        onClose={onClose}
      >
        <Select
          label="Platform"
          aria-busy={platforms.busy}
          options={[
            { value: '', label: platforms.failed ? 'Could not be loaded.' : first },
            ...(platforms.data ?? []).map(({ name, display_name }) => ({ value: name, label: display_name || name })),
          ]}
          {...form.field('platform')}
        />
        {platforms.failed && <Button onClick={() => void platforms.reload()}>Retry</Button>}
        <Field label="Username" autoComplete="off" maxLength={200} {...form.field('username')} />
        <Field
          label="Password"
          type="password"
          autoComplete="new-password"
          hint="Optional"
          {...form.field('password')}
        />
      </FormDialog>
      {replacing.dialog}
    </>
  );
}

/** The platforms where logins can be added: those that the tenant has activated. */
function useActivePlatforms(tenantId: number) {
  const api = useApi();
  const isSuper = useUser().role.is_super_admin;
  return useResource(
    async (signal) => {
      const query = isSuper ? { tenant_id: tenantId } : {};
      const [all, mine] = await Promise.all([
        api.listAvailablePlatforms(query, { signal }),
        api.listMyPlatforms(query, { signal }),
      ]);
      const active = new Set(mine.filter(({ is_activated }) => is_activated).map(({ id }) => String(id)));
      return all.filter(({ id }) => active.has(String(id)));
    },
    [api, isSuper, tenantId],
    'Failed to fetch available platforms',
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
