import { useSession } from '../../state/session';
import { storedToken } from '../../state/storage';

/**
 * Makes a call that may replace the token of this session, and keeps the new one for all tabs. Tabs that get a 401 in
 * between wait for it (state/session.tsx). Only browsers over TLS and on localhost have locks.
 */
export function useNewToken() {
  const { session, signIn } = useSession();
  return (call: () => Promise<{ access_token?: string }>): Promise<void> => {
    const replace = async () => {
      const { access_token: token } = await call();
      if (token && session.user && storedToken() === session.token) signIn(token, session.user);
    };
    const locks: LockManager | undefined = navigator.locks;
    return locks ? locks.request('token', replace) : replace();
  };
}
