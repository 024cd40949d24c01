import type { CallName } from '../../contract/calls';

/** What the server must know of a call besides its line in the contract. */
interface CallFacts {
  /** It opens a transaction itself, for its writes: it hashes, asks a server or waits, too long for an open one. */
  ownTransaction?: true;
  /** A replica may answer: nobody decides about money by it, and it does not say who somebody is or may do what. */
  replica?: true;
  /** It changes the caller's own account or its sessions, so no other write of the account runs beside it. */
  changesOwnAccount?: true;
  /** Open pages repeat it by themselves, so it does not keep a session alive. */
  polled?: true;
}

const facts: { readonly [Name in CallName]?: CallFacts } = {
  addPasskey: { ownTransaction: true, changesOwnAccount: true },
  askForPasswordLink: { ownTransaction: true },
  beginNewPasskey: { ownTransaction: true },
  beginPasskey: { ownTransaction: true },
  beginSso: { ownTransaction: true },
  changePassword: { ownTransaction: true, changesOwnAccount: true },
  checkImport: { ownTransaction: true },
  choosePassword: { ownTransaction: true },
  confirmTwoFactor: { ownTransaction: true, changesOwnAccount: true },
  countNew: { polled: true },
  countPending: { polled: true },
  countUnreadNotifications: { polled: true },
  createAdmin: { ownTransaction: true },
  createApiKey: { ownTransaction: true },
  createPlayer: { ownTransaction: true },
  createSavedView: { changesOwnAccount: true },
  createTeamMember: { ownTransaction: true },
  endOtherSessions: { changesOwnAccount: true },
  endSession: { changesOwnAccount: true },
  exportDeposits: { replica: true },
  exportPlayers: { replica: true },
  exportPurchases: { replica: true },
  exportRedeems: { replica: true },
  exportReturns: { replica: true },
  finishPasskey: { ownTransaction: true },
  finishSso: { ownTransaction: true },
  getAffiliates: { replica: true },
  getAffiliateStats: { replica: true },
  getAudit: { replica: true },
  getCharts: { replica: true },
  getDashboardMetrics: { replica: true, polled: true },
  getOverview: { replica: true },
  importRows: { ownTransaction: true },
  inviteTeamMember: { ownTransaction: true },
  listTenants: { replica: true },
  login: { ownTransaction: true },
  loginToTenant: { ownTransaction: true },
  logout: { changesOwnAccount: true },
  receiveWebhook: { ownTransaction: true },
  removePasskey: { ownTransaction: true, changesOwnAccount: true },
  renewRecoveryCodes: { ownTransaction: true, changesOwnAccount: true },
  revealWebhookSecret: { ownTransaction: true },
  saveAllowedNetworks: { ownTransaction: true },
  saveIdentityProvider: { ownTransaction: true },
  setUpTwoFactor: { ownTransaction: true, changesOwnAccount: true },
  turnOffTwoFactor: { ownTransaction: true, changesOwnAccount: true },
  updateAdmin: { ownTransaction: true },
  updatePlayer: { ownTransaction: true },
  updateTeamMember: { ownTransaction: true },
  watchList: { polled: true },
};

export const factsOf = (name: CallName): CallFacts => facts[name] ?? {};
