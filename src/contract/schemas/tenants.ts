import * as v from 'valibot';
import { isTimeZone } from '../timeZones';
import * as f from './fields';

export const Tenant = f.optionalElsewhere(['require_two_factor', 'mail_links', 'time_zone'], {
  id: f.number,
  name: f.string,
  description: f.maybe(f.string),
  is_active: f.boolean,
  email: f.maybe(f.string),
  /** The tenant's admins must use two-factor sign-in. */
  require_two_factor: f.boolean,
  /** Admins are invited by e-mail and can choose a forgotten password. Needs the feature `mail_links`. */
  mail_links: f.boolean,
  /** IANA name of the zone in which the tenant's business days begin. */
  time_zone: f.string,
});
export type Tenant = v.InferOutput<typeof Tenant>;

/** Of a tenant that has some: its players, and what is pending in all its lists. */
export const TenantFigures = v.object({ tenant_id: f.number, players: f.number, pending: f.number });
export type TenantFigures = v.InferOutput<typeof TenantFigures>;

/** What a new tenant has of what it needs. */
export const TenantSetup = v.object({
  has_platforms: f.boolean,
  has_admins: f.boolean,
  has_payment_methods: f.boolean,
  has_players: f.boolean,
  has_api_keys: f.boolean,
});
export type TenantSetup = v.InferOutput<typeof TenantSetup>;

/** Fields that are left out stay. */
export const TenantForm = v.object({
  name: f.reference(200),
  description: f.nullAsBlank(f.text(2000)),
  /** Needs the feature `tenant_email`. */
  email: f.nullAsBlank(v.union([v.pipe(f.text(254), v.literal('')), f.email], 'expected an email address')),
  /** Needs the feature `account`. */
  require_two_factor: v.optional(f.trueOrFalse),
  /** Needs the feature `mail_links`. */
  mail_links: v.optional(f.trueOrFalse),
  /** Needs the feature `time_zone`. Past business days are counted again in the new zone. */
  time_zone: v.optional(v.pipe(f.text(64), v.check(isTimeZone, 'expected an IANA time zone such as America/New_York'))),
});
export type TenantForm = v.InferOutput<typeof TenantForm>;
