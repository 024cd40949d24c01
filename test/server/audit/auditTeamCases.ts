/** Writes about accounts of admins, as the walk of audit.test.ts asks for them. */
import type { CallName } from '../../../src/contract/calls';
import { MASK } from '../../../src/contract/constants';
import { usualPermissions } from '../../../src/contract/permissions';
import { PASSWORD, people } from '../../world';
import type { Case } from './audit.test';

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
};
