import { lazyPart } from '../ui/lazyPart';

/** One's own password, second factor and sessions, fetched when somebody opens them. */
export const Account = lazyPart(() => import('./account/Account').then((file) => file.Account));
