/**
 * The types of records and forms of the API, and types alone, so no schema reaches the browser. Amounts are USD with at
 * most two decimals, timestamps ISO 8601 in UTC, `null` is "not set". Other servers may leave optional fields out or
 * send amounts as text; the app parses its answers tolerantly.
 */
export type * from './schemas/account';
export type * from './schemas/admins';
export type * from './schemas/affiliates';
export type * from './schemas/approvals';
export type * from './schemas/audit';
export type * from './schemas/books';
export type * from './schemas/claims';
export type * from './schemas/doubles';
export type * from './schemas/eligibility';
export type * from './schemas/events';
export type * from './schemas/fields';
export type * from './schemas/imports';
export type * from './schemas/integrations';
export type * from './schemas/linkTemplates';
export type * from './schemas/metrics';
export type * from './schemas/notifications';
export type * from './schemas/overview';
export type * from './schemas/passkeys';
export type * from './schemas/paymentMethods';
export type * from './schemas/personalData';
export type * from './schemas/platforms';
export type * from './schemas/players';
export type * from './schemas/playerView';
export type * from './schemas/protection';
export type * from './schemas/queueSettings';
export type * from './schemas/savedViews';
export type * from './schemas/search';
export type * from './schemas/shifts';
export type * from './schemas/sso';
export type * from './schemas/tenants';
export type * from './schemas/transactions';
export type * from './schemas/valueAccounts';
