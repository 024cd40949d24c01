import type { PlayerCredential } from '../../../contract/entities';
import { useAction } from '../../hooks/useAction';
import { useApi, useMay } from '../../state/session';
import { useCopy } from '../useCopy';

/** Fetches the password of a login and copies it. It is never shown. */
export function CopyPassword({ playerId, login }: { playerId: number; login: PlayerCredential }) {
  const api = useApi();
  const copy = useCopy();
  const maySupport = useMay('support');
  const action = useAction(
    async () => {
      const ids = { user_id: playerId, credential_id: login.id };
      copy('Password', (await api.copyPlayerPassword(ids)).platform_password);
    },
    { done: null, failed: 'Failed to copy the password' },
  );
  if (!maySupport || !login.platform_password) return null;
  return (
    <button
      type="button"
      className="copy"
      aria-label="Copy Password"
      title="Copy Password"
      aria-busy={action.busy}
      disabled={action.busy}
      onClick={() => void action.run(null)}
    />
  );
}
