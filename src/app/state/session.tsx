import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { appCalls } from '../../contract/calls';
import type { Feature } from '../../contract/constants';
import type { LoggedOut } from '../../contract/entities';
import type { Permission } from '../../contract/permissions';
import { apiBase, mountPath } from '../api/basePath';
import { createSend, type Fetch, type Send } from '../api/client';
import { type AppApi, createApi } from '../api/createApi';
import { listen } from '../api/listen';
import type { StoredUser } from '../api/parse';
import { trackWrites } from '../api/trackWrites';
import {
  applyColourMode,
  claimTab,
  clearStorage,
  clearTab,
  keepPlace,
  noSession,
  type Session,
  saveSession,
  storedSession,
  storedToken,
} from './storage';

declare global {
  interface WindowEventMap {
    /** The person logs out: what waits is sent now. */
    signout: Event;
  }
}

const root = (): string => `${mountPath()}/`;

function claimTabFor(session: Session): Session {
  const place = session.user && claimTab(session.user, root());
  if (place) history.replaceState(null, '', place);
  return session;
}

/** While the token is replaced, a 401 is about the old one: waits (dialogs/account/PasswordPart.tsx). */
const whenReplaced = async () =>
  (navigator.locks as LockManager | undefined)
    ?.request('token', { signal: AbortSignal.timeout(10_000) }, () => undefined)
    .catch(() => undefined);

interface SessionValue {
  session: Session;
  send: Send;
  api: AppApi;
  signIn(token: string, user: StoredUser): void;
  /** Ends the session, here and on the server (docs/product.md, "Sign-in and sessions"). */
  signOut(): void;
}
export const SessionContext = createContext<SessionValue | null>(null);
const VersionContext = createContext<string | undefined>(undefined);

const noServer = createSend({ fetch: () => Promise.reject(new Error('There is no server here')) });
/** Nobody signed in, and no server or browser: for the page that the build renders. */
export const nobody: SessionValue = {
  session: noSession,
  send: noServer,
  api: createApi(noServer, appCalls),
  signIn: () => undefined,
  signOut: () => undefined,
};

const browserFetch: Fetch = (url, init) => globalThis.fetch(url, init);

export function SessionProvider({ children, fetch = browserFetch }: { children: ReactNode; fetch?: Fetch }) {
  const [session, setSession] = useState(() => claimTabFor(storedSession()));

  useEffect(() => {
    return listen(['storage'], () => {
      const stored = claimTabFor(storedSession());
      setSession((old) => (old.token === stored.token ? old : stored));
    });
  }, []);

  const [version, setVersion] = useState<string>();
  const value = useMemo<SessionValue>(() => {
    const end = () => {
      clearStorage();
      applyColourMode('system'); // the stored colour mode is gone
      history.pushState(null, '', root());
      setSession(noSession);
    };
    const expire = () => {
      keepPlace();
      end();
    };
    const writes = trackWrites(fetch);
    const send = createSend({
      base: apiBase(),
      fetch: writes.fetch,
      token: storedToken,
      whenReplaced,
      onExpired: expire,
      onVersion: setVersion,
      onMissingPermission: () => void fetchPermissions(),
    });
    const api = createApi(send, appCalls);
    /** Somebody has changed what this person may do. */
    const fetchPermissions = async () => {
      const { token, user } = session;
      const { permissions } = (await api.getAccount().catch(() => null)) ?? {};
      if (!user || !permissions || token !== storedToken()) return;
      saveSession(token, { ...user, permissions });
      setSession({ token, user: { ...user, permissions } });
    };
    return {
      session,
      send,
      api,
      signIn(token, user) {
        saveSession(token, user);
        claimTabFor({ token, user });
        setSession({ token, user });
      },
      signOut() {
        dispatchEvent(new Event('signout'));
        if (session.user?.features?.includes('logout')) {
          const { logout } = createApi(createSend({ base: apiBase(), fetch, token: () => session.token }), appCalls);
          // Never waited for. Whoever came by single sign-on signs out there, too.
          const leave = (out?: LoggedOut) => out?.sign_out_url && location.assign(out.sign_out_url);
          writes.afterWrites(() => void logout({}, { keepalive: true }).then(leave, () => undefined));
        }
        clearTab();
        end();
      },
    };
  }, [session, fetch]);

  return (
    <SessionContext value={value}>
      <VersionContext value={version}>{children}</VersionContext>
    </SessionContext>
  );
}

/** The version of the server; undefined if it does not tell, or has not been asked yet. */
export const useServerVersion = (): string | undefined => useContext(VersionContext);

export function useSession(): SessionValue {
  const value = useContext(SessionContext);
  if (!value) throw new Error('useSession needs a <SessionProvider> above it');
  return value;
}

export const useApi = (): AppApi => useSession().api;

/** The signed-in user; only where there is one. */
export function useUser(): StoredUser {
  const { user } = useSession().session;
  if (!user) throw new Error('useUser needs somebody signed in');
  return user;
}

/** Whether the signed-in person may do this. Where the server knows no permissions, every admin may do everything. */
export function useMay(permission: Permission): boolean {
  const { user } = useSession().session;
  return user?.permissions?.includes(permission) ?? true;
}

/** Whether the server offers this, and the signed-in person may do it. */
export const useOffered = (what: 'export' | 'import'): boolean => [useFeature(what), useMay(what)].every(Boolean);

/** Why the signed-in person may not do this, in the words of the server; null if they may. */
export const useRefusal = (permission: Permission): string | null =>
  useMay(permission)
    ? null
    : `You need the permission ${permission.replace(/^./, (first) => first.toUpperCase())} for this`;

/** Whether the server offered this feature at login. */
export const useFeature = (name: Feature): boolean => useSession().session.user?.features?.includes(name) ?? false;
