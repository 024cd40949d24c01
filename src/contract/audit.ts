/** What the audit log is about, and why things are changed. Apart from the other constants: whoever only signs in needs none of it. */

/** Why something was changed. */
export const reasons = ['customer_request', 'correction', 'goodwill', 'duplicate', 'fraud_suspected', 'chargeback', 'test', 'other'] as const;
export type Reason = (typeof reasons)[number];
export const NOTE_MAX = 500;

/** What an entry of the audit log can be about. */
export const auditKinds = ['sign-in', 'tenant', 'admin', 'assignment', 'player', 'player login', 'purchase', 'deposit', 'redeem', 'payment method', 'import', 'export', 'api key', 'other'] as const;
export type AuditKind = (typeof auditKinds)[number];
/** Entries of the audit log in one answer. */
export const AUDIT_PAGE = 50;
