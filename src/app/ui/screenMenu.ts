import type { Feature } from '../../contract/constants';

/** The side menu of a super admin, in order (docs/product.md, "Routes and menus"). */
export const menu: readonly [href: string, label: string, feature?: Feature][] = [
  ['/tenants', 'Tenants'],
  ['/platforms', 'Platforms'],
  ['/admins', 'Admins'],
  ['/purchases', 'Purchases'],
  ['/users', 'Users'],
  ['/deposits', 'Deposits'],
  ['/returns', 'Returns', 'returns'],
  ['/redeems', 'Redeems'],
  ['/payment-methods', 'Payment Methods'],
  ['/overview', 'Overview', 'overview'],
];
