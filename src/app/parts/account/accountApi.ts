import { useMemo } from 'react';
import { accountCalls } from '../../../contract/accountCalls';
import { apiOver } from '../../api';
import { readAnswer } from '../../read';
import { useSession } from '../../session';

/** The calls about accounts, which come with what opens from here rather than with the app. */
export function useAccountApi() {
  const { send } = useSession();
  return useMemo(() => apiOver(accountCalls, send, readAnswer), [send]);
}
