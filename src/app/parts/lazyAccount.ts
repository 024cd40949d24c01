import { lazyWithRetry } from '../ui/lazyWithRetry';

/** One's own password, second factor and sessions, fetched when somebody opens them. */
export const Account = lazyWithRetry(() => import('./account/Account').then((file) => file.Account));
