import type { Permission } from '../../../contract/permissions';
import { describePermissions } from './PermissionFields';

/** What an admin may do, in a phrase. */
export const Permissions = ({ of }: { of: readonly Permission[] }) => <small>{describePermissions(of)}</small>;
