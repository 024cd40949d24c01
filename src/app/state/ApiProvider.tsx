import { useMemo, type ReactNode } from 'react';
import type { CallName, CallSpec } from '../../contract/calls';
import { openingCalls } from '../../contract/openingCalls';
import type { Api, Send } from '../api/client';
import { readAnswer } from '../api/parse';
import { ApiContext, useSession } from './session';

/** Gives the screens every call of the product; the login, above it, has its own few. */
export function ApiProvider({ children }: { children: ReactNode }) {
  const { send } = useSession();
  const api = useMemo(() => wholeApi(send), [send]);
  return <ApiContext value={api}>{children}</ApiContext>;
}

/** What the app does not open with is looked up in the whole table, which comes in one file with the screens that ask for it. */
let known: Partial<Record<CallName, CallSpec>> = openingCalls;
const all = async () => (known = (await import('../../contract/calls')).calls);

const wholeApi = (send: Send): Api => new Proxy({} as Api, {
  get: (_, name: CallName) => async (input = {}, options = {}) => send(name, known[name] ?? (await all())[name], input, options, readAnswer),
});
