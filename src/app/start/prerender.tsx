import { renderToString } from 'react-dom/server';
import { Login } from '../screens/Login';
import { nobody, SessionContext } from '../state/session';
import { ToastProvider } from '../state/toasts';

/** The page before anybody has signed in, as HTML. build.mjs puts it into index.html, and React hydrates it there. */
export const loginMarkup = (): string =>
  renderToString(<ToastProvider><SessionContext value={nobody}><Login /></SessionContext></ToastProvider>);
