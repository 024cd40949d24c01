/** Writes about accounts of admins, as the walk of audit.test.ts asks for them. */
import type { CallName } from '../../../src/contract/calls';
import { MASK } from '../../../src/contract/constants';
import type { AccountEntryForm, ValueAccountForm } from '../../../src/contract/entities';
import { usualPermissions } from '../../../src/contract/permissions';
import { as, PASSWORD, pam, people, services, sql } from '../../world';
import type { Case } from './audit.test';

const chat = { kind: 'player', label: 'Chat', url: 'https://chat.test/{player_id}' } as const;
const till: ValueAccountForm = { name: 'Till', kind: 'cash', methods: ['Cash'], is_active: true, tenant_id: 2 };
const keptTill = { name: 'Till', kind: 'cash', methods: ['cash'], is_active: true };
const addTill = async () => {
  await (await as('sue')).createValueAccount({ body: till });
};
const correction: AccountEntryForm = { entry: 'corrected', to_id: 1, amount: '5', reason: 'Counted', tenant_id: 2 };
const shiftCounts = [{ account_id: 1, counted: '10' }];
const openedShift = async () => {
  await addTill();
  await (await as('sue')).openShift({ body: { counts: shiftCounts, tenant_id: 2 } });
};
const bothNeeded = async () => {
  await sql`update tenants set payout_approval_from = 1 where id = 2`;
  await (await as('ann')).changeRedeemStatus({ id: pam.redeem, body: { status: 'success' } });
};

const withMail = async () => {
  services.outgoing = { hasEmail: true, hasLinks: true, mayBeOwn: false };
  await sql`update tenants set mail_links = true where id = 2`;
};
const invited = { permissions: ['queue' as const], tenant_id: 2, current_password: PASSWORD };

export const teamCases: Partial<Record<CallName, Case>> = {
  createAdmin: {
    done: (sue) =>
      sue.createAdmin({ body: { email: 'new@acme.test', password: 'A-secret', tenant_id: 2, role_id: 2 } }),
    refused: (sue) =>
      sue.createAdmin({ body: { email: people.ben.email, password: 'A-secret', tenant_id: 2, role_id: 2 } }),
    leaves: {
      kind: 'admin',
      object_id: '5',
      tenant_id: 2,
      before: null,
      after: {
        tenant_id: 2,
        role_id: 2,
        email: 'new@acme.test',
        password: MASK,
        is_active: true,
        permissions: [...usualPermissions],
      },
    },
  },
  createTeamMember: {
    done: (sue) =>
      sue.createTeamMember({
        body: {
          email: 'new@acme.test',
          password: 'A-secret',
          permissions: ['queue'],
          tenant_id: 2,
          current_password: PASSWORD,
        },
      }),
    refused: (sue) =>
      sue.createTeamMember({
        body: {
          email: people.ben.email,
          password: 'A-secret',
          permissions: ['queue'],
          tenant_id: 2,
          current_password: PASSWORD,
        },
      }),
    leaves: {
      kind: 'admin',
      object_id: '5',
      tenant_id: 2,
      before: null,
      after: {
        tenant_id: 2,
        role_id: 2,
        email: 'new@acme.test',
        password: MASK,
        is_active: true,
        permissions: ['queue'],
      },
    },
  },
  inviteTeamMember: {
    before: withMail,
    done: (sue) => sue.inviteTeamMember({ body: { ...invited, email: 'new@acme.test' } }),
    refused: (sue) => sue.inviteTeamMember({ body: { ...invited, email: people.ben.email } }),
    leaves: {
      kind: 'admin',
      object_id: '5',
      tenant_id: 2,
      before: null,
      after: {
        tenant_id: 2,
        role_id: 2,
        email: 'new@acme.test',
        password: MASK,
        is_active: true,
        permissions: ['queue'],
      },
    },
  },
  saveAllowedNetworks: {
    done: (sue) =>
      sue.saveAllowedNetworks({ body: { networks: ['192.0.2.0/24'], tenant_id: 2, current_password: PASSWORD } }),
    refused: (sue) =>
      sue.saveAllowedNetworks({ body: { networks: ['192.0.2.0/24'], tenant_id: 1, current_password: PASSWORD } }),
    leaves: {
      kind: 'tenant',
      object_id: '2',
      tenant_id: 2,
      before: { allowed_networks: [] },
      after: { allowed_networks: ['192.0.2.0/24'] },
    },
  },
  updateTeamMember: {
    done: (sue) =>
      sue.updateTeamMember({ id: people.ann.id, body: { permissions: ['queue'], current_password: PASSWORD } }),
    refused: (sue) =>
      sue.updateTeamMember({ id: people.ann.id, body: { email: people.ben.email, current_password: PASSWORD } }),
    leaves: {
      kind: 'admin',
      object_id: '2',
      tenant_id: 2,
      before: { permissions: [...usualPermissions] },
      after: { permissions: ['queue'] },
    },
  },
  approveChange: {
    before: bothNeeded,
    done: (sue) => sue.approveChange({ id: 1 }),
    refused: (sue) => sue.approveChange({ id: 99 }),
    leaves: {
      kind: 'redeem',
      object_id: String(pam.redeem),
      player_id: pam.id,
      tenant_id: 2,
      before: { status: 'pending' },
      after: { status: 'success', approved_by: people.ann.email },
    },
  },
  endApproval: {
    before: bothNeeded,
    done: (sue) => sue.endApproval({ id: 1 }),
    refused: (sue) => sue.endApproval({ id: 99 }),
    leaves: {
      kind: 'redeem',
      object_id: String(pam.redeem),
      player_id: pam.id,
      tenant_id: 2,
      before: { approved_by: people.ann.email },
      after: { approved_by: null, approval: 1, outcome: 'refused' },
    },
  },
  saveLinkTemplates: {
    done: (sue) => sue.saveLinkTemplates({ body: { templates: [chat], tenant_id: 2 } }),
    refused: (sue) => sue.saveLinkTemplates({ body: { templates: [chat], tenant_id: 99 } }),
    leaves: {
      kind: 'tenant',
      object_id: '2',
      tenant_id: 2,
      before: { links: [] },
      after: { links: ['player: Chat, https://chat.test/{player_id}'] },
    },
  },
  changeAccountSettings: {
    done: (sue) => sue.changeAccountSettings({ body: { is_required: true, tenant_id: 2 } }),
    refused: (sue) => sue.changeAccountSettings({ body: { is_required: true, tenant_id: 99 } }),
    leaves: { kind: 'books', object_id: null, tenant_id: 2, before: null, after: { account_required: true } },
  },
  createValueAccount: {
    done: (sue) => sue.createValueAccount({ body: till }),
    refused: (sue) => sue.createValueAccount({ body: { ...till, tenant_id: 99 } }),
    leaves: { kind: 'books', object_id: '1', tenant_id: 2, before: null, after: keptTill },
  },
  updateValueAccount: {
    before: addTill,
    done: (sue) => sue.updateValueAccount({ id: 1, body: { ...till, name: 'Drawer' } }),
    refused: (sue) => sue.updateValueAccount({ id: 999, body: till }),
    leaves: {
      kind: 'books',
      object_id: '1',
      tenant_id: 2,
      before: { name: 'Till' },
      after: { name: 'Drawer' },
    },
  },
  enterAccountMove: {
    before: addTill,
    done: (sue) => sue.enterAccountMove({ body: correction }),
    refused: (sue) => sue.enterAccountMove({ body: { ...correction, to_id: 999 } }),
    leaves: {
      kind: 'books',
      object_id: null,
      tenant_id: 2,
      before: null,
      reason: 'Counted',
      after: { entry: 'corrected', to: 'Till', amount: '5', reason: 'Counted' },
    },
  },
  openShift: {
    before: addTill,
    done: (sue) => sue.openShift({ body: { counts: shiftCounts, tenant_id: 2 } }),
    refused: (sue) => sue.openShift({ body: { counts: shiftCounts, relieves_id: 99, tenant_id: 2 } }),
    leaves: {
      kind: 'books',
      object_id: '1',
      tenant_id: 2,
      before: null,
      after: { shift: 'opened', counts: 'Till 10' },
    },
  },
  closeShift: {
    before: openedShift,
    done: (sue) => sue.closeShift({ id: 1, body: { counts: shiftCounts, tenant_id: 2 } }),
    refused: (sue) => sue.closeShift({ id: 99, body: { counts: shiftCounts, tenant_id: 2 } }),
    leaves: {
      kind: 'books',
      object_id: '1',
      tenant_id: 2,
      before: null,
      after: { shift: 'closed', cashier: 'sue@platform.test' },
    },
  },
  changeShiftSettings: {
    done: (sue) => sue.changeShiftSettings({ body: { is_required: true, tenant_id: 2 } }),
    refused: (sue) => sue.changeShiftSettings({ body: { is_required: true, tenant_id: 99 } }),
    leaves: { kind: 'books', object_id: null, tenant_id: 2, before: null, after: { shift_required: true } },
  },
  changeApprovalLimits: {
    done: (sue) => sue.changeApprovalLimits({ body: { payouts_from: '500', edits_from: null, tenant_id: 2 } }),
    refused: (sue) => sue.changeApprovalLimits({ body: { payouts_from: '500', edits_from: null, tenant_id: 99 } }),
    leaves: {
      kind: 'tenant',
      object_id: '2',
      tenant_id: 2,
      before: { payouts_from: null },
      after: { payouts_from: 500 },
    },
  },
};
