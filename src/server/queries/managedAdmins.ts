import { ADMIN_ROLE } from '../../contract/constants';
import type { Sql } from '../db/open';

/** The accounts of admins and super admins; these calls do not manage other roles. Super admins are under tenant 1. */
export const isManaged = (sql: Sql) =>
  sql`a.role_id in (select id from roles where name in (${ADMIN_ROLE}, 'super_admin'))`;
