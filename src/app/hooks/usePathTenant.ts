import { useLocation } from 'wouter';

/** The tenant whose view a super admin looks at, or undefined: what a dialog over the view is about at first. */
export const usePathTenant = (): number | undefined => {
  const [, id] = /^\/tenant\/(\d{1,15})\//.exec(useLocation()[0]) ?? [];
  return id === undefined ? undefined : Number(id);
};
