/** What the walk of audit.test.ts is told of a write, and what several of them share. */
import type { CallName, Input } from '../../../src/contract/calls';
import type { AuditRow } from '../../audit';
import { pam } from '../../world';

export interface Case<Name extends CallName> {
  before?: () => PromiseLike<unknown>;
  done: Input<Name>;
  /** Refused for a reason of the object, after the rights are checked. If left out: `done` with the id of nothing. */
  refused?: Input<Name>;
  leaves: Partial<AuditRow>;
}
export type Cases = { [Name in CallName]?: Case<Name> };

export const NOTHING = 99;
/** The same input with the id of nothing: of the object, else of the tenant. */
export function ofNothing(input: object): object {
  const key = ['credential_id', 'id'].find((name) => name in input);
  return key ? { ...input, [key]: NOTHING } : { body: { ...Reflect.get(input, 'body'), tenant_id: NOTHING } };
}

export const apex = { api_key: 'K-secret', secret_key: 'S-secret', merchant_id: 'M1' };
export const player = { kind: 'player', object_id: '1', tenant_id: 2, player_id: pam.id };
export const redeem = { kind: 'redeem', object_id: String(pam.redeem), tenant_id: 2, player_id: pam.id };
export const login = { kind: 'player login', object_id: '1', tenant_id: 2, player_id: pam.id };
export const tenant = { kind: 'tenant', object_id: '2', tenant_id: 2 };
export const assignment = { kind: 'assignment', object_id: '3', tenant_id: 2 };
export const method = { kind: 'payment method', object_id: 'apex', tenant_id: 2 };
