import { lazyWithRetry } from '../ui/lazyWithRetry';

/** The audit log, fetched when somebody opens it. */
export const AuditLog = lazyWithRetry(() => import('./AuditLog').then((file) => file.AuditLog));
