import * as v from 'valibot';
import {
  boolean,
  email,
  maybe,
  nullAsBlank,
  number,
  type OptionalElsewhere,
  reference,
  string,
  text,
  trueOrFalse,
} from './fields';

export const Tenant = v.object({
  id: number,
  name: string,
  description: maybe(string),
  is_active: boolean,
  email: maybe(string),
  /** The tenant's admins must use two-factor sign-in. */
  require_two_factor: boolean,
});
export type Tenant = OptionalElsewhere<v.InferOutput<typeof Tenant>, 'require_two_factor'>;

/** Fields that are left out stay. */
export const TenantForm = v.object({
  name: reference(200),
  description: nullAsBlank(text(2000)),
  /** Needs the feature `tenant_email`. */
  email: nullAsBlank(v.union([v.pipe(text(254), v.literal('')), email], 'expected an e-mail address')),
  /** Needs the feature `account`. */
  require_two_factor: v.optional(trueOrFalse),
});
export type TenantForm = v.InferOutput<typeof TenantForm>;
