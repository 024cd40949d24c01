import { useEffect } from 'react';
import { mayEnter } from '../contract/rules';
import { dropPrefetched } from './start/prefetch';
import { Login } from './screens/Login';
import { Unauthorized } from './screens/Unauthorized';
import { SessionProvider, useSession } from './state/session';
import { ToastProvider } from './state/toasts';
import { APP_TITLE } from './ui/appTitle';
import { lazyWithRetry } from './ui/lazyWithRetry';
import { ErrorBoundary } from './ui/ErrorBoundary';
import type { ApiOptions } from './api/client';

// Whoever only signs in needs neither routes nor screens.
export const App = lazyWithRetry(() => import('./App').then((file) => file.App));

/** The whole app; the build renders it too, with nobody signed in. */
export function Root({ fetch }: Pick<ApiOptions, 'fetch'>) {
  useEffect(() => {
    document.documentElement.classList.remove('signed-in');
    const timer = setTimeout(dropPrefetched, 10_000); // by then nobody wants it
    return () => clearTimeout(timer);
  }, []);
  return <ToastProvider><SessionProvider {...(fetch && { fetch })}><ErrorBoundary><Entrance /></ErrorBoundary></SessionProvider></ToastProvider>;
}

/** Who is let in where (spec 2): the login, 'Unauthorized', or the app, afresh for each session. */
function Entrance() {
  const { token, user } = useSession().session;
  useEffect(() => { if (!user) document.title = APP_TITLE; }, [user]);
  if (!user) return <Login />;
  const isAtHome = user.role.is_super_admin || user.tenant_id !== null;
  return mayEnter(user) && isAtHome ? <App key={token} /> : <Unauthorized />;
}
