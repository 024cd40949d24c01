import { useSyncExternalStore } from 'react';
import { listen } from '../api/listen';

const follow = (changed: () => void) => listen(['online', 'offline'], changed);
/** Whether the browser has a network connection. */
export const useOnline = (): boolean => useSyncExternalStore(follow, () => navigator.onLine !== false);
