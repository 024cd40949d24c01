import init from './0001_init.sql';
import installation from './0002_installation.sql';
import audit from './0003_audit.sql';
import queue from './0004_queue.sql';
import playerView from './0005_player_view.sql';
import speed from './0006_speed.sql';
import knownNetworks from './0007_known_networks.sql';
import openWallets from './0008_open_wallets.sql';
import integrations from './0009_doors.sql';
import imports from './0010_import.sql';
import signin from './0011_signin.sql';
import search from './0012_finder.sql';
import paymentReferences from './0013_payment_references.sql';
import generalLogin from './0014_general_login.sql';
import rateLimits from './0015_rate_limits.sql';
import secretKeys from './0016_secret_keys.sql';
import once from './0017_once.sql';
import credentials from './0018_credentials.sql';
import tampering from './0019_tampering.sql';
import foldSearch from './0024_fold_search.sql';
import listSorting from './0025_list_sorting.sql';
import terms from './0026_terms.sql';
import upkeep from './0029_upkeep.sql';
import permissions from './0030_permissions.sql';
import approvals from './0031_approvals.sql';
import savedViews from './0033_saved_views.sql';
import overview from './0035_overview.sql';
import books from './0037_books.sql';
import alarms from './0038_alarms.sql';
import notifications from './0039_notifications.sql';
import totalChanges from './0040_total_changes.sql';
import distributed from './0041_distributed.sql';
import standstill from './0042_standstill.sql';
import approvalsEnded from './0043_approvals_ended.sql';

/**
 * Every migration in order; add new files here. A file never changes after its release, so some comments in them name
 * files that have moved: audit.ts (audit/auditLog.ts), ledger/fold.ts (ledger/compactTotals.ts), moneyList.ts
 * (queries/transactionFilter.ts), secondFactor.ts (auth/twoFactor.ts). Missing numbers were never released.
 */
export const migrations: readonly { name: string; text: string }[] = [
  { name: '0001_init', text: init },
  { name: '0002_installation', text: installation },
  { name: '0003_audit', text: audit },
  { name: '0004_queue', text: queue },
  { name: '0005_player_view', text: playerView },
  { name: '0006_speed', text: speed },
  { name: '0007_known_networks', text: knownNetworks },
  { name: '0008_open_wallets', text: openWallets },
  { name: '0009_doors', text: integrations },
  { name: '0010_import', text: imports },
  { name: '0011_signin', text: signin },
  { name: '0012_finder', text: search },
  { name: '0013_payment_references', text: paymentReferences },
  { name: '0014_general_login', text: generalLogin },
  { name: '0015_rate_limits', text: rateLimits },
  { name: '0016_secret_keys', text: secretKeys },
  { name: '0017_once', text: once },
  { name: '0018_credentials', text: credentials },
  { name: '0019_tampering', text: tampering },
  { name: '0024_fold_search', text: foldSearch },
  { name: '0025_list_sorting', text: listSorting },
  { name: '0026_terms', text: terms },
  { name: '0029_upkeep', text: upkeep },
  { name: '0030_permissions', text: permissions },
  { name: '0031_approvals', text: approvals },
  { name: '0033_saved_views', text: savedViews },
  { name: '0035_overview', text: overview },
  { name: '0037_books', text: books },
  { name: '0038_alarms', text: alarms },
  { name: '0039_notifications', text: notifications },
  { name: '0040_total_changes', text: totalChanges },
  { name: '0041_distributed', text: distributed },
  { name: '0042_standstill', text: standstill },
  { name: '0043_approvals_ended', text: approvalsEnded },
];
