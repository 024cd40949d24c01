/** Writes about admins, accounts, shifts, the queue and the books, as the walk of audit.test.ts asks for them. */
import { MASK } from '../../../src/contract/constants';
import type { AccountEntryForm, ValueAccountForm } from '../../../src/contract/entities';
import { usualPermissions } from '../../../src/contract/permissions';
import { moveBack } from '../../books';
import { ann, sue } from '../../callers';
import { topUp } from '../../seed';
import { PASSWORD, pam, people, services, sql } from '../../world';
import { type Cases, NOTHING, redeem, tenant } from './auditCase';

const chat = { kind: 'player', label: 'Chat', url: 'https://chat.test/{player_id}' } as const;
const till: ValueAccountForm = { name: 'Till', kind: 'cash', methods: ['Cash'], is_active: true, tenant_id: 2 };
const addTill = () => sue.createValueAccount({ body: till });
const correction: AccountEntryForm = { entry: 'corrected', to_id: 1, amount: '5', reason: 'Counted', tenant_id: 2 };
const counted = { counts: [{ account_id: 1, counted: '10' }], tenant_id: 2 };
const bothNeeded = async () => {
  await sql`update tenants set payout_approval_from = 1 where id = 2`;
  await ann.changeRedeemStatus({ id: pam.redeem, body: { status: 'success' } });
};
const withMail = async () => {
  services.outgoing = { hasEmail: true, hasLinks: true, mayBeOwn: false };
  await sql`update tenants set mail_links = true where id = 2`;
};
const invited = { permissions: ['queue' as const], tenant_id: 2, current_password: PASSWORD };
const hired = { ...invited, password: 'A-secret' };
const created = { password: 'A-secret', tenant_id: 2, role_id: 2 };
const fresh = { email: 'new@acme.test' },
  taken = { email: people.ben.email };
const newAdmin = (permissions: string[]) => ({
  ...{ kind: 'admin', object_id: '5', tenant_id: 2, before: null },
  after: { ...fresh, tenant_id: 2, role_id: 2, password: MASK, is_active: true, permissions },
});
const books = { kind: 'books', object_id: null, tenant_id: 2, before: null };

const view = { list: 'redeems', name: 'Large ones', query: 'min=500&text=pam' } as const;
const withView = () => sue.createSavedView({ body: view });
const audited = { list: 'redeems' };
const quick = { list: 'purchases', late: 3, overdue: 10 } as const;
const nobodyHasIt = { claimed_by: null },
  sueHasIt = { claimed_by: people.sue.email };

export const teamCases: Cases = {
  createAdmin: {
    done: { body: { ...fresh, ...created } },
    refused: { body: { ...taken, ...created } },
    leaves: newAdmin([...usualPermissions]),
  },
  createTeamMember: {
    done: { body: { ...fresh, ...hired } },
    refused: { body: { ...taken, ...hired } },
    leaves: newAdmin(['queue']),
  },
  inviteTeamMember: {
    before: withMail,
    done: { body: { ...fresh, ...invited } },
    refused: { body: { ...taken, ...invited } },
    leaves: newAdmin(['queue']),
  },
  saveAllowedNetworks: {
    done: { body: { networks: ['192.0.2.0/24'], tenant_id: 2, current_password: PASSWORD } },
    refused: { body: { networks: ['192.0.2.0/24'], tenant_id: 1, current_password: PASSWORD } },
    leaves: { ...tenant, before: { allowed_networks: [] }, after: { allowed_networks: ['192.0.2.0/24'] } },
  },
  updateTeamMember: {
    done: { id: people.ann.id, body: { permissions: ['queue'], current_password: PASSWORD } },
    refused: { id: people.ann.id, body: { ...taken, current_password: PASSWORD } },
    leaves: {
      ...{ kind: 'admin', object_id: '2', tenant_id: 2 },
      ...{ before: { permissions: [...usualPermissions] }, after: { permissions: ['queue'] } },
    },
  },
  approveChange: {
    before: bothNeeded,
    done: { id: 1 },
    leaves: {
      ...{ ...redeem, before: { status: 'pending' } },
      after: { status: 'success', approved_by: people.ann.email },
    },
  },
  endApproval: {
    before: bothNeeded,
    done: { id: 1 },
    leaves: {
      ...{ ...redeem, before: { approved_by: people.ann.email } },
      after: { approved_by: null, approval: 1, outcome: 'refused' },
    },
  },
  saveLinkTemplates: {
    done: { body: { templates: [chat], tenant_id: 2 } },
    leaves: { ...tenant, before: { links: [] }, after: { links: ['player: Chat, https://chat.test/{player_id}'] } },
  },
  changeAccountSettings: {
    done: { body: { is_required: true, tenant_id: 2 } },
    leaves: { ...books, after: { account_required: true } },
  },
  createValueAccount: {
    done: { body: till },
    leaves: { ...books, object_id: '1', after: { name: 'Till', kind: 'cash', methods: ['cash'], is_active: true } },
  },
  updateValueAccount: {
    before: addTill,
    done: { id: 1, body: { ...till, name: 'Drawer' } },
    leaves: { ...books, object_id: '1', before: { name: 'Till' }, after: { name: 'Drawer' } },
  },
  enterAccountMove: {
    before: addTill,
    done: { body: correction },
    refused: { body: { ...correction, to_id: NOTHING } },
    leaves: {
      ...{ ...books, reason: 'Counted' },
      after: { entry: 'corrected', to: 'Till', amount: '5', reason: 'Counted' },
    },
  },
  openShift: {
    before: addTill,
    done: { body: counted },
    refused: { body: { ...counted, relieves_id: NOTHING } },
    leaves: { ...books, object_id: '1', after: { shift: 'opened', counts: 'Till 10' } },
  },
  closeShift: {
    before: () => addTill().then(() => sue.openShift({ body: counted })),
    done: { id: 1, body: counted },
    leaves: { ...books, object_id: '1', after: { shift: 'closed', cashier: people.sue.email } },
  },
  changeShiftSettings: {
    done: { body: { is_required: true, tenant_id: 2 } },
    leaves: { ...books, after: { shift_required: true } },
  },
  changeApprovalLimits: {
    done: { body: { payouts_from: '500', edits_from: null, tenant_id: 2 } },
    leaves: { ...tenant, before: { payouts_from: null }, after: { payouts_from: 500 } },
  },
  claimRow: {
    done: { body: { id: pam.redeem } },
    refused: { body: { id: NOTHING } },
    leaves: { ...redeem, before: nobodyHasIt, after: sueHasIt },
  },
  changeQueueSettings: {
    done: { body: { late_minutes: [quick], key_takes: true, tenant_id: 2 } },
    leaves: {
      ...{ ...tenant, before: { late_minutes: [], key_takes: false } },
      after: { late_minutes: [quick], key_takes: true },
    },
  },
  releaseRow: {
    before: () => sue.claimRow({ body: { id: pam.redeem } }),
    done: { id: pam.redeem },
    leaves: { ...redeem, before: sueHasIt, after: nobodyHasIt },
  },
  createSavedView: {
    before: withView,
    done: { body: { ...view, name: 'All' } },
    refused: { body: view },
    leaves: { kind: 'saved view', object_id: '2', tenant_id: null, before: null, after: audited },
  },
  deleteSavedView: {
    before: withView,
    done: { id: 1 },
    leaves: { kind: 'saved view', object_id: '1', tenant_id: null, before: audited, after: null },
  },
  verifyBooks: { done: { body: { tenant_id: 2 } }, leaves: { ...books, after: { verify: true } } },
  closeMonth: {
    before: () => topUp(pam, '5', 'success').then(() => moveBack(2, '2025-09-10T12:00:00Z')),
    done: { body: { tenant_id: 2, month: '2025-09' } },
    refused: { body: { tenant_id: 2, month: '2025-08' } },
    leaves: { ...books, object_id: '2025-09' },
  },
};
