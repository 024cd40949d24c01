/** What the calls about returns leave in the audit log. */
import type { CallName } from '../../../src/contract/calls';
import { as, pam } from '../../world';
import type { Case } from './audit.test';

const won = { user_email: pam.email, amount: '300', platform: 'vblink', tenant_id: 2 };
const unknown = 99;

export const returnCases: Partial<Record<CallName, Case>> = {
  createReturn: {
    done: (sue) => sue.createReturn({ body: won }),
    refused: (sue) => sue.createReturn({ body: { ...won, user_email: 'nobody@mail.test' } }),
    leaves: {
      kind: 'return',
      tenant_id: 2,
      player_id: pam.id,
      before: null,
      after: { amount: 300, platform: 'vblink', status: 'pending' },
    },
  },
  changeReturnSettings: {
    before: async () => (await as('sue')).changeRedeemStatus({ id: pam.redeem, body: { status: 'failed' } }),
    done: (sue) => sue.changeReturnSettings({ body: { redeems_from_game: true, tenant_id: 2 } }),
    refused: (sue) => sue.changeReturnSettings({ body: { redeems_from_game: true, tenant_id: unknown } }),
    leaves: {
      kind: 'tenant',
      object_id: '2',
      tenant_id: 2,
      before: { redeems_from_game: false },
      after: { redeems_from_game: true },
    },
  },
};
