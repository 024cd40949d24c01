import { useLocation } from 'wouter';
import { readTenantPath } from '../../contract/routes';

/** The tenant whose view a super admin looks at, or undefined: what a dialog over the view is about at first. */
export const usePathTenant = (): number | undefined => readTenantPath(useLocation()[0]);
