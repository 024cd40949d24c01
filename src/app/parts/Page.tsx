import type { ReactNode } from 'react';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { useScreenTitle } from './useScreenTitle';

/** A screen of the app: names it in the document's title, and keeps an error in it away from the rest. */
export function Page({ title, children }: { title: string; children: ReactNode }) {
  useScreenTitle(title, undefined);
  return <ErrorBoundary key={title}>{children}</ErrorBoundary>;
}
