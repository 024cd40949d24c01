/** The rules and the bell, as tests of notifications use them. */
import * as assert from 'uvu/assert';
import type { RuleKind } from '../../../src/contract/notifications';
import { evaluate } from '../../../src/server/notifications/evaluate';
import { as, db, type Person } from '../../world';

/** Looks at every rule now. */
export async function look(): Promise<void> {
  const errors: unknown[] = [];
  await evaluate(db, (error, kind) => errors.push(`${kind}: ${error}`), { isForced: true });
  assert.equal(errors, []);
}
/** What a person finds under the bell, newest first. */
export const bellOf = async (person: Person, kind?: RuleKind, tenant_id?: number) =>
  (await (await as(person)).listNotifications({ tenant_id })).filter((one) => !kind || one.kind === kind);
/** The titles of it. */
export const seenBy = async (...of: Parameters<typeof bellOf>): Promise<string[]> =>
  (await bellOf(...of)).map(({ title }) => title);
/** Switches a rule on, with what is to be changed of it. */
export async function setRule(person: Person, kind: RuleKind, changes: object = {}, tenant_id?: number) {
  const api = await as(person);
  const rules = await api.listNotificationRules({ tenant_id });
  const { muted_until: _, ...rule } = rules.find((one) => one.kind === kind)!;
  return api.saveNotificationRule({ body: { ...rule, is_active: true, ...changes, tenant_id } });
}
