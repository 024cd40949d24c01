import { useEffect } from 'react';
import { mayEnter } from '../contract/rules';
import type { ApiOptions } from './api/client';
import { hasPasswordLink, isSsoAddress, Login } from './screens/Login';
import { dropPrefetched } from './start/prefetch';
import { SessionProvider, useSession } from './state/session';
import { ToastProvider } from './state/toasts';
import { APP_TITLE } from './ui/appTitle';
import { ErrorBoundary } from './ui/ErrorBoundary';
import { lazyWithRetry } from './ui/lazyWithRetry';

// The login screen needs neither routes nor screens.
export const App = lazyWithRetry(() => import('./App').then((file) => file.App));

/** The whole app. */
export function Root({ fetch }: Pick<ApiOptions, 'fetch'>) {
  useEffect(() => {
    document.documentElement.classList.remove('signed-in');
    const timer = setTimeout(dropPrefetched, 10_000); // unused by then
    return () => clearTimeout(timer);
  }, []);
  return (
    <ToastProvider>
      <SessionProvider {...(fetch && { fetch })}>
        <ErrorBoundary>
          <Entrance />
        </ErrorBoundary>
      </SessionProvider>
    </ToastProvider>
  );
}

/** The login, 'Unauthorized', or the app, a new one for each person (docs/product.md, "Routes and menus"). */
function Entrance() {
  const { token, user } = useSession().session;
  useEffect(() => {
    if (!user) document.title = APP_TITLE;
  }, [user]);
  if (!user || hasPasswordLink() || isSsoAddress()) return <Login />;
  const isAtHome = user.role.is_super_admin || user.tenant_id !== null;
  return mayEnter(user) && isAtHome ? <App key={user.email ?? token} /> : <Unauthorized />;
}

/** For a signed-in user whose role may not enter (docs/product.md, "Routes and menus"). Makes no call. */
function Unauthorized() {
  const { signOut } = useSession();
  return (
    <main className="login" id="main">
      <h1>Unauthorized</h1>
      <button onClick={signOut}>Logout</button>
    </main>
  );
}
