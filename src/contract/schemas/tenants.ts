import * as v from 'valibot';
import { isTimeZone } from '../timeZones';
import {
  boolean,
  email,
  maybe,
  nullAsBlank,
  number,
  optionalElsewhere,
  reference,
  string,
  text,
  trueOrFalse,
} from './fields';

export const Tenant = optionalElsewhere(['require_two_factor', 'mail_links', 'time_zone'], {
  id: number,
  name: string,
  description: maybe(string),
  is_active: boolean,
  email: maybe(string),
  /** The tenant's admins must use two-factor sign-in. */
  require_two_factor: boolean,
  /** Admins are invited by e-mail and can choose a forgotten password. Needs the feature `mail_links`. */
  mail_links: boolean,
  /** IANA name of the zone in which the tenant's business days begin. */
  time_zone: string,
});
export type Tenant = v.InferOutput<typeof Tenant>;

/** Of a tenant that has some: its players, and what is pending in all its lists. */
export const TenantFigures = v.object({ tenant_id: number, players: number, pending: number });
export type TenantFigures = v.InferOutput<typeof TenantFigures>;

/** What a new tenant has of what it needs. */
export const TenantSetup = v.object({
  has_platforms: boolean,
  has_admins: boolean,
  has_payment_methods: boolean,
  has_players: boolean,
  has_api_keys: boolean,
});
export type TenantSetup = v.InferOutput<typeof TenantSetup>;

/** Fields that are left out stay. */
export const TenantForm = v.object({
  name: reference(200),
  description: nullAsBlank(text(2000)),
  /** Needs the feature `tenant_email`. */
  email: nullAsBlank(v.union([v.pipe(text(254), v.literal('')), email], 'expected an email address')),
  /** Needs the feature `account`. */
  require_two_factor: v.optional(trueOrFalse),
  /** Needs the feature `mail_links`. */
  mail_links: v.optional(trueOrFalse),
  /** Needs the feature `time_zone`. Past business days are counted again in the new zone. */
  time_zone: v.optional(v.pipe(text(64), v.check(isTimeZone, 'expected an IANA time zone such as America/New_York'))),
});
export type TenantForm = v.InferOutput<typeof TenantForm>;
