import type { Assignment, Platform, Tenant } from '../../../contract/entities';
import { orDash } from '../../api/parse';
import { useAskedAction } from '../../parts/useAskedAction';
import { useApi } from '../../state/session';
import type { Assignments } from './useAssignments';

/** One tenant at one platform; the assignment is null if there never was one. */
export interface Place {
  platform: Platform;
  tenant: Tenant;
}
export interface Editing extends Place {
  assignment: Assignment | null;
}
/** What a place is shown with. */
export interface Shown extends Place {
  assignments: Assignments;
  onEdit: (editing: Editing) => void;
}

export const getName = (platform: Platform): string => platform.display_name || orDash(platform.name);

/** Takes a platform away from a tenant, after a question that names both. `dialog` has to be rendered. */
export function useUnassign({ platform, tenant, assignments }: Omit<Shown, 'onEdit'>) {
  const api = useApi();
  const name = orDash(tenant.name);
  const { ask, ...unassign } = useAskedAction(api.unassignPlatform, {
    done: 'Platform unassigned from tenant',
    failed: 'Failed to unassign platform',
    onDone: () => assignments.reload(tenant.id),
    question: `Unassign ${getName(platform)} from ${name}?`,
    about: `Players of ${name} can no longer use it until it is assigned again.`,
    submit: 'Unassign',
    isDangerous: true,
    isExtra: true,
  });
  return { ...unassign, askAndUnassign: () => ask({ id: platform.id, body: { tenant_id: tenant.id } }) };
}
