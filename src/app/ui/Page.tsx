import { type ReactNode, useEffect } from 'react';
import { APP_TITLE } from './appTitle';
import { ErrorBoundary } from './ErrorBoundary';

/** A screen of the app: sets the document's title, and keeps an error in the screen away from the rest. */
export function Page({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · ${APP_TITLE}`;
    return () => {
      document.title = APP_TITLE;
    };
  }, [title]);
  return <ErrorBoundary key={title}>{children}</ErrorBoundary>;
}
