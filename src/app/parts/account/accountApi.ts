import { useMemo } from 'react';
import { calls } from '../../../contract/calls';
import { apiOver } from '../../api';
import { readAnswer } from '../../read';
import { useSession } from '../../session';

/** The calls about accounts; also for a session that must set up a second factor before it sees a screen. */
export function useAccountApi() {
  const { send } = useSession();
  return useMemo(() => apiOver(calls, send, readAnswer), [send]);
}
