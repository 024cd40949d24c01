import { useMemo } from 'react';
import { calls } from '../../../contract/calls';
import { apiOver } from '../../api/client';
import { readAnswer } from '../../api/parse';
import { useSession } from '../../state/session';

/** The calls about accounts; also for a session that must set up a second factor before it sees a screen. */
export function useAccountApi() {
  const { send } = useSession();
  return useMemo(() => apiOver(calls, send, readAnswer), [send]);
}
