/** What the calls about books, bulk work and saved views leave in the audit log. */
import type { CallName } from '../../../src/contract/calls';
import { moveBack } from '../../books';
import { topUp } from '../../seed';
import { as, pam, people } from '../../world';
import type { Case } from './audit.test';

const unknown = 99;
const view = { list: 'redeems', name: 'Large ones', query: 'min=500&text=pam' } as const;
const audited = { list: 'redeems' };
const withView = async () => {
  await (await as('sue')).createSavedView({ body: view });
};

const redeem = { kind: 'redeem', object_id: String(pam.redeem), tenant_id: 2, player_id: pam.id } as const;
const sueHasIt = { claimed_by: people.sue.email };
const quick = { list: 'purchases', late: 3, overdue: 10 } as const;
const nobodyHasIt = { claimed_by: null };

export const listCases: Partial<Record<CallName, Case>> = {
  claimRow: {
    done: (sue) => sue.claimRow({ body: { id: pam.redeem } }),
    refused: (sue) => sue.claimRow({ body: { id: unknown } }),
    leaves: { ...redeem, before: nobodyHasIt, after: sueHasIt },
  },
  changeQueueSettings: {
    done: (sue) => sue.changeQueueSettings({ body: { late_minutes: [quick], key_takes: true, tenant_id: 2 } }),
    refused: (sue) => sue.changeQueueSettings({ body: { late_minutes: [], key_takes: true, tenant_id: unknown } }),
    leaves: {
      kind: 'tenant',
      object_id: '2',
      tenant_id: 2,
      before: { late_minutes: [], key_takes: false },
      after: { late_minutes: [quick], key_takes: true },
    },
  },
  releaseRow: {
    before: async () => {
      await (await as('sue')).claimRow({ body: { id: pam.redeem } });
    },
    done: (sue) => sue.releaseRow({ id: pam.redeem }),
    refused: (sue) => sue.releaseRow({ id: unknown }),
    leaves: { ...redeem, before: sueHasIt, after: nobodyHasIt },
  },
  addPlayerTags: {
    done: (sue) => sue.addPlayerTags({ id: pam.id, body: { tags: ['vip'] } }),
    refused: (sue) => sue.addPlayerTags({ id: unknown, body: { tags: ['vip'] } }),
    leaves: {
      kind: 'player',
      object_id: String(pam.id),
      tenant_id: 2,
      player_id: pam.id,
      before: { tags: [] },
      after: { tags: ['vip'] },
    },
  },
  setPlayerActive: {
    done: (sue) => sue.setPlayerActive({ id: pam.id, body: { is_active: false } }),
    refused: (sue) => sue.setPlayerActive({ id: unknown, body: { is_active: false } }),
    leaves: {
      kind: 'player',
      object_id: String(pam.id),
      tenant_id: 2,
      player_id: pam.id,
      before: { is_active: true },
      after: { is_active: false },
    },
  },
  createSavedView: {
    before: withView,
    done: (sue) => sue.createSavedView({ body: { ...view, name: 'All' } }),
    refused: (sue) => sue.createSavedView({ body: view }),
    leaves: {
      kind: 'saved view',
      object_id: '2',
      tenant_id: null,
      before: null,
      after: audited,
    },
  },
  deleteSavedView: {
    before: withView,
    done: (sue) => sue.deleteSavedView({ id: 1 }),
    refused: (sue) => sue.deleteSavedView({ id: unknown }),
    leaves: { kind: 'saved view', object_id: '1', tenant_id: null, before: audited, after: null },
  },
  verifyBooks: {
    done: (sue) => sue.verifyBooks({ body: { tenant_id: 2 } }),
    refused: (sue) => sue.verifyBooks({ body: { tenant_id: unknown } }),
    leaves: { kind: 'books', object_id: null, tenant_id: 2, before: null, after: { verify: true } },
  },
  closeMonth: {
    before: async () => {
      await topUp(pam, '5', 'success');
      await moveBack(2, '2025-09-10T12:00:00Z');
    },
    done: (sue) => sue.closeMonth({ body: { tenant_id: 2, month: '2025-09' } }),
    refused: (sue) => sue.closeMonth({ body: { tenant_id: 2, month: '2025-08' } }),
    leaves: { kind: 'books', object_id: '2025-09', tenant_id: 2, before: null },
  },
};
