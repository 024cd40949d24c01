import { lazyWithRetry } from '../../ui/lazyWithRetry';

/** The audit log, fetched when it is opened. */
export const AuditLog = lazyWithRetry(() => import('./AuditLog').then((file) => file.AuditLog));
