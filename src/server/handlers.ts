import { audit } from './audit/handlers';
import { books } from './books/handlers';
import { profit } from './books/profit';
import { yearPayouts } from './books/yearPayouts';
import type { Handlers } from './core/context';
import { imports } from './imports/handlers';
import { notificationChannels } from './notifications/channelHandlers';
import { notifications } from './notifications/handlers';
import { webhooks } from './payments/handlers';
import { account } from './resources/account';
import { admins } from './resources/admins';
import { affiliates } from './resources/affiliates';
import { allowedNetworks } from './resources/allowedNetworks';
import { apiKeys } from './resources/apiKeys';
import { approvals } from './resources/approvals';
import { auth } from './resources/auth';
import { claims } from './resources/claims';
import { identityProvider } from './resources/identityProvider';
import { integrationApi } from './resources/integrationApi';
import { metrics } from './resources/metrics';
import { myPlatforms } from './resources/myPlatforms';
import { overview } from './resources/overview';
import { passkeys } from './resources/passkeys';
import { paymentMethods } from './resources/paymentMethods';
import { playerCredentials } from './resources/playerCredentials';
import { players } from './resources/players';
import { playerView } from './resources/playerView';
import { protection } from './resources/protection';
import { purchases } from './resources/purchases';
import { redeems } from './resources/redeems';
import { savedViews } from './resources/savedViews';
import { search } from './resources/search';
import { shifts } from './resources/shifts';
import { sso } from './resources/sso';
import { team } from './resources/team';
import { tenants } from './resources/tenants';
import { valueAccounts } from './resources/valueAccounts';

/** Every call has exactly one handler; a missing one is a compile error. */
export const handlers: Handlers = {
  ...auth,
  ...passkeys,
  ...allowedNetworks,
  ...sso,
  ...identityProvider,
  ...tenants,
  ...admins,
  ...team,
  ...approvals,
  ...purchases,
  ...players,
  ...playerCredentials,
  ...myPlatforms,
  ...redeems,
  ...affiliates,
  ...metrics,
  ...paymentMethods,
  ...audit,
  ...claims,
  ...books,
  ...yearPayouts,
  ...overview,
  ...playerView,
  ...protection,
  ...savedViews,
  ...valueAccounts,
  ...shifts,
  ...profit,
  ...search,
  ...notifications,
  ...notificationChannels,
  ...account,
  ...imports,
  ...apiKeys,
  ...webhooks,
  ...integrationApi,
};
