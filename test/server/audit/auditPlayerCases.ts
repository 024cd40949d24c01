/** Writes about players: tags, logins at game platforms, breaks, limits and returns, as audit.test.ts asks for them. */
import { MASK } from '../../../src/contract/constants';
import { sue } from '../../callers';
import { addPlayer } from '../../seed';
import { pam, sql } from '../../world';
import { assignment, type Cases, login, NOTHING, player, tenant } from './auditCase';

const rules = { minimum_age: 21, refused_regions: [], kyc_from: null, kyc_first: false, report_from: null };
const atVblink = { platform_name: 'vblink', platform_username: 'pam1', platform_password: 'P-secret' };
const known = { user_id: pam.id, credential_id: 1 };
const withPlatform = () => sql`insert into tenant_platforms (tenant_id, platform_id, is_active) values (2, 3, true)`;
const withLogin = () => withPlatform().then(() => sue.createPlayerCredential({ user_id: pam.id, body: atVblink }));
const TWIN = 3;
const addTwin = () => addPlayer(2, { email: 'twin@mail.test' });
const pair = { id: pam.id, body: { player_id: TWIN } },
  noPair = { id: pam.id, body: { player_id: NOTHING } };
const won = { user_email: pam.email, amount: '300', platform: 'vblink', tenant_id: 2 };

export const playerCases: Cases = {
  addPlayerTags: {
    done: { id: pam.id, body: { tags: ['vip'] } },
    leaves: { ...player, before: { tags: [] }, after: { tags: ['vip'] } },
  },
  setPlayerActive: {
    done: { id: pam.id, body: { is_active: false } },
    leaves: { ...player, before: { is_active: true }, after: { is_active: false } },
  },
  createPlayerCredential: {
    before: withPlatform,
    done: { user_id: pam.id, body: atVblink },
    refused: { user_id: pam.id, body: { ...atVblink, platform_name: 'yolo' } },
    leaves: {
      ...{ ...login, before: null },
      after: { platform_name: 'vblink', platform_username: 'pam1', password: MASK, is_active: true },
    },
  },
  togglePlayerCredential: {
    before: withLogin,
    done: { ...known, body: { is_active: false } },
    leaves: { ...login, before: { is_active: true }, after: { is_active: false } },
  },
  copyPlayerPassword: { before: withLogin, done: known, leaves: login },
  savePanelAddress: {
    before: withPlatform,
    done: { id: 3, tenant_id: 2, body: { panel_url: 'https://panel.test/' } },
    leaves: { ...assignment, before: { panel_url: null }, after: { panel_url: 'https://panel.test/' } },
  },
  saveEligibility: {
    done: { id: pam.id, body: { region: 'US-TX', kyc_status: 'verified' } },
    leaves: {
      ...{ ...player, before: { region: null, kyc_status: 'none' } },
      after: { region: 'US-TX', kyc_status: 'verified' },
    },
  },
  changeEligibilityRules: {
    done: { body: { ...rules, tenant_id: 2 } },
    leaves: { ...tenant, before: { minimum_age: null }, after: { minimum_age: 21 } },
  },
  linkPlayers: {
    before: addTwin,
    done: pair,
    refused: noPair,
    leaves: { ...player, before: { linked_with: [] }, after: { linked_with: [TWIN] } },
  },
  unlinkPlayer: {
    before: () => addTwin().then(() => sue.linkPlayers(pair)),
    done: { id: pam.id },
    leaves: { ...player, before: { linked_with: [TWIN] }, after: { linked_with: [] } },
  },
  dismissPair: {
    before: addTwin,
    done: pair,
    refused: noPair,
    leaves: { ...player, before: null, after: { not_the_same_as: TWIN } },
  },
  saveProtection: {
    done: {
      id: pam.id,
      body: { exclusion: { until: null }, limits: [{ money: 'purchase', span: 'day', amount: '20' }] },
    },
    leaves: {
      ...{ ...player, before: { on_break: null } },
      after: { on_break: 'for good', purchase_limit_day: { amount: 20 } },
    },
  },
  createReturn: {
    done: { body: won },
    refused: { body: { ...won, user_email: 'nobody@mail.test' } },
    leaves: {
      ...{ kind: 'return', tenant_id: 2, player_id: pam.id, before: null },
      after: { amount: 300, platform: 'vblink', status: 'pending' },
    },
  },
  changeReturnSettings: {
    before: () => sue.changeRedeemStatus({ id: pam.redeem, body: { status: 'failed' } }),
    done: { body: { redeems_from_game: true, tenant_id: 2 } },
    leaves: { ...tenant, before: { redeems_from_game: false }, after: { redeems_from_game: true } },
  },
};
