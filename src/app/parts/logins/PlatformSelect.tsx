import type { ComponentProps } from 'react';
import type { PlayerCredential } from '../../../contract/entities';
import { orDash } from '../../api/parse';
import { useResource } from '../../hooks/useResource';
import { useApi, useUser } from '../../state/session';
import { STILL_WAITING } from '../../state/toasts';
import { Button } from '../../ui/Button';
import { Select } from '../../ui/Select';

type Props = {
  tenantId: number | undefined;
  logins?: readonly PlayerCredential[] | undefined;
} & ComponentProps<'select'>;
/** The platforms that the tenant has activated; first those where the player has a login, with its name. */
export function PlatformSelect({ tenantId, logins = [], ...field }: Props) {
  const platforms = useActivePlatforms(tenantId);
  const loginAt = (platform: string) =>
    logins.find(({ is_active, platform_name }) => is_active && orDash(platform_name) === platform);
  const options = (platforms.data ?? []).map(({ name, display_name }) => {
    const login = loginAt(name),
      label = display_name || name;
    return { value: name, label: login ? `${label} (${login.platform_username})` : label, isFirst: Boolean(login) };
  });
  const first = () => {
    if (tenantId === undefined) return 'Choose the user first';
    if (platforms.failed) return 'Could not be loaded.';
    if (!platforms.data) return platforms.slow ? STILL_WAITING : 'Loading…';
    return options.length ? 'Choose a platform' : 'No platform is active for this tenant.';
  };
  return (
    <>
      <Select
        label="Platform"
        aria-busy={platforms.busy}
        options={[{ value: '', label: first() }, ...options.sort((a, b) => Number(b.isFirst) - Number(a.isFirst))]}
        {...field}
      />
      {platforms.failed && <Button onClick={() => void platforms.reload()}>Retry</Button>}
    </>
  );
}

function useActivePlatforms(tenantId: number | undefined) {
  const api = useApi();
  const isSuper = useUser().role.is_super_admin;
  return useResource(
    tenantId === undefined
      ? null
      : async (signal) => {
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
