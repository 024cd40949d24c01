import { lazyWithRetry } from '../../ui/lazyWithRetry';

/** The user's own password, two-factor sign-in and sessions, fetched when opened. */
export const Account = lazyWithRetry(() => import('./Account').then((file) => file.Account));
