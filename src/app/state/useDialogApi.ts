import { useMemo } from 'react';
import { dialogCalls } from '../../contract/dialogCalls';
import { createApi } from '../api/createApi';
import { useSession } from './session';

/** The calls of the dialogs. */
export const useDialogApi = () => {
  const { send } = useSession();
  return useMemo(() => createApi(send, dialogCalls), [send]);
};
