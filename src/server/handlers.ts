import type { Handlers } from './context';
import { account } from './resources/account';
import { admins } from './resources/admins';
import { affiliates } from './resources/affiliates';
import { apiKeys } from './resources/apiKeys';
import { audit } from './resources/audit';
import { auth } from './resources/auth';
import { charts } from './resources/charts';
import { search } from './resources/search';
import { imports } from './resources/imports';
import { integrationApi } from './resources/integrationApi';
import { metrics } from './resources/metrics';
import { myPlatforms } from './resources/myPlatforms';
import { paymentMethods } from './resources/paymentMethods';
import { platforms } from './resources/platforms';
import { playerCredentials } from './resources/playerCredentials';
import { playerView } from './resources/playerView';
import { players } from './resources/players';
import { purchases } from './resources/purchases';
import { pendingCounts } from './resources/pendingCounts';
import { redeems } from './resources/redeems';
import { tenants } from './resources/tenants';
import { webhooks } from './resources/webhooks';

/** Every call has exactly one handler; a missing one is a compile error. */
export const handlers: Handlers = {
  ...auth, ...tenants, ...platforms, ...admins, ...purchases, ...players, ...playerCredentials, ...myPlatforms, ...redeems, ...affiliates, ...metrics, ...paymentMethods, ...audit, ...pendingCounts, ...charts, ...playerView, ...search, ...account, ...imports,
  ...apiKeys, ...webhooks, ...integrationApi,
};
