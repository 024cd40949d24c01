import { lazyPart } from '../ui/lazyPart';

/** The audit log, fetched when somebody opens it. */
export const AuditLog = lazyPart(() => import('./AuditLog').then((file) => file.AuditLog));
