import { useEffect, type ReactNode } from 'react';
import { APP_TITLE } from './appTitle';
import { ErrorBoundary } from './ErrorBoundary';

/** A screen in its place: names the document, and catches what breaks in it so that the rest stays. */
export function Page({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · ${APP_TITLE}`;
    return () => { document.title = APP_TITLE; };
  }, [title]);
  return <ErrorBoundary key={title}>{children}</ErrorBoundary>;
}
