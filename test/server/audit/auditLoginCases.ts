/** What the calls about players' logins at game platforms, and their breaks and limits, leave in the audit log. */
import type { CallName } from '../../../src/contract/calls';
import { MASK } from '../../../src/contract/constants';
import { addPlayer } from '../../seed';
import { as, pam, sql } from '../../world';
import type { Case } from './audit.test';

const unknown = 99;
const rules = { minimum_age: 21, refused_regions: [], kyc_from: null, kyc_first: false, report_from: null };
const login = { platform_name: 'vblink', platform_username: 'pam1', platform_password: 'P-secret' };
const withPlatform = () => sql`insert into tenant_platforms (tenant_id, platform_id, is_active) values (2, 3, true)`;
const withLogin = async () => {
  await withPlatform();
  await (await as('sue')).createPlayerCredential({ user_id: pam.id, body: login });
};
const leaves = { kind: 'player login', object_id: '1', tenant_id: 2, player_id: pam.id };
const ofPam = { kind: 'player', object_id: '1', tenant_id: 2, player_id: pam.id };
const TWIN = 3;
const addTwin = () => addPlayer(2, { email: 'twin@mail.test' });
const linkTwin = async () => {
  await addTwin();
  await (await as('sue')).linkPlayers({ id: pam.id, body: { player_id: TWIN } });
};
const known = { user_id: pam.id, credential_id: 1 };

export const loginCases: Partial<Record<CallName, Case>> = {
  createPlayerCredential: {
    before: withPlatform,
    done: (sue) => sue.createPlayerCredential({ user_id: pam.id, body: login }),
    refused: (sue) => sue.createPlayerCredential({ user_id: pam.id, body: { ...login, platform_name: 'yolo' } }),
    leaves: {
      ...leaves,
      before: null,
      after: { platform_name: 'vblink', platform_username: 'pam1', password: MASK, is_active: true },
    },
  },
  togglePlayerCredential: {
    before: withLogin,
    done: (sue) => sue.togglePlayerCredential({ ...known, body: { is_active: false } }),
    refused: (sue) =>
      sue.togglePlayerCredential({ user_id: pam.id, credential_id: unknown, body: { is_active: false } }),
    leaves: { ...leaves, before: { is_active: true }, after: { is_active: false } },
  },
  copyPlayerPassword: {
    before: withLogin,
    done: (sue) => sue.copyPlayerPassword(known),
    refused: (sue) => sue.copyPlayerPassword({ user_id: pam.id, credential_id: unknown }),
    leaves,
  },
  savePanelAddress: {
    before: withPlatform,
    done: (sue) => sue.savePanelAddress({ id: 3, tenant_id: 2, body: { panel_url: 'https://panel.test/' } }),
    refused: (sue) => sue.savePanelAddress({ id: unknown, tenant_id: 2, body: { panel_url: 'https://panel.test/' } }),
    leaves: {
      kind: 'assignment',
      object_id: '3',
      tenant_id: 2,
      before: { panel_url: null },
      after: { panel_url: 'https://panel.test/' },
    },
  },
  saveEligibility: {
    done: (sue) => sue.saveEligibility({ id: pam.id, body: { region: 'US-TX', kyc_status: 'verified' } }),
    refused: (sue) => sue.saveEligibility({ id: unknown, body: {} }),
    leaves: {
      kind: 'player',
      object_id: '1',
      tenant_id: 2,
      player_id: pam.id,
      before: { region: null, kyc_status: 'none' },
      after: { region: 'US-TX', kyc_status: 'verified' },
    },
  },
  changeEligibilityRules: {
    done: (sue) => sue.changeEligibilityRules({ body: { ...rules, tenant_id: 2 } }),
    refused: (sue) => sue.changeEligibilityRules({ body: { ...rules, tenant_id: unknown } }),
    leaves: {
      kind: 'tenant',
      object_id: '2',
      tenant_id: 2,
      before: { minimum_age: null },
      after: { minimum_age: 21 },
    },
  },
  linkPlayers: {
    before: addTwin,
    done: (sue) => sue.linkPlayers({ id: pam.id, body: { player_id: TWIN } }),
    refused: (sue) => sue.linkPlayers({ id: pam.id, body: { player_id: unknown } }),
    leaves: { ...ofPam, before: { linked_with: [] }, after: { linked_with: [TWIN] } },
  },
  unlinkPlayer: {
    before: linkTwin,
    done: (sue) => sue.unlinkPlayer({ id: pam.id }),
    refused: (sue) => sue.unlinkPlayer({ id: unknown }),
    leaves: { ...ofPam, before: { linked_with: [TWIN] }, after: { linked_with: [] } },
  },
  dismissPair: {
    before: addTwin,
    done: (sue) => sue.dismissPair({ id: pam.id, body: { player_id: TWIN } }),
    refused: (sue) => sue.dismissPair({ id: pam.id, body: { player_id: unknown } }),
    leaves: { ...ofPam, before: null, after: { not_the_same_as: TWIN } },
  },
  saveProtection: {
    done: (sue) =>
      sue.saveProtection({
        id: pam.id,
        body: { exclusion: { until: null }, limits: [{ money: 'purchase', span: 'day', amount: '20' }] },
      }),
    refused: (sue) => sue.saveProtection({ id: unknown, body: {} }),
    leaves: {
      kind: 'player',
      object_id: '1',
      tenant_id: 2,
      player_id: pam.id,
      before: { on_break: null },
      after: { on_break: 'for good', purchase_limit_day: { amount: 20 } },
    },
  },
};
