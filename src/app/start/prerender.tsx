import { renderToString } from 'react-dom/server';
import { Login } from '../screens/Login';
import { nobody, SessionContext } from '../state/session';
import { ToastProvider } from '../state/toasts';

/** The login page as HTML. build.mjs puts it into index.html, where React hydrates it. */
export const loginMarkup = (): string =>
  renderToString(
    <ToastProvider>
      <SessionContext value={nobody}>
        <Login />
      </SessionContext>
    </ToastProvider>,
  );
