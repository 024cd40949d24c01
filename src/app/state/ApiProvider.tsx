import { useMemo, type ReactNode } from 'react';
import { calls } from '../../contract/calls';
import { apiOver } from '../api/client';
import { readAnswer } from '../api/parse';
import { ApiContext, useSession } from './session';

/** Gives the screens every call of the product; the login, above it, has its own few. */
export function ApiProvider({ children }: { children: ReactNode }) {
  const { send } = useSession();
  const api = useMemo(() => apiOver(calls, send, readAnswer), [send]);
  return <ApiContext value={api}>{children}</ApiContext>;
}
