import * as v from 'valibot';
import { boolean, chars, httpsUrl, maybe, number, optionalElsewhere, string, text, visible } from './fields';

const platform = { id: number, name: string, display_name: maybe(string), description: maybe(string) };

export const Platform = v.object({ ...platform, is_active: boolean });
export type Platform = v.InferOutput<typeof Platform>;

/** An empty or masked value keeps what is stored. */
export const PlatformCredentials = v.object({ username: v.pipe(text(200), visible), password: chars(1000) });
export type PlatformCredentials = v.InferOutput<typeof PlatformCredentials>;

/** A platform assigned to a tenant; inactive when unassigned with its credentials kept. The password is masked. */
export const Assignment = v.object({
  platform_id: number,
  tenant_id: number,
  is_active: boolean,
  credentials: v.object({ username: string, password: string }),
});
export type Assignment = v.InferOutput<typeof Assignment>;

/** `platform_type` is 'manual' or 'api'; optional on other servers. */
export const AvailablePlatform = optionalElsewhere(['platform_type'], { ...platform, platform_type: string });
export type AvailablePlatform = v.InferOutput<typeof AvailablePlatform>;

/** An assignment as its tenant sees it; `id` is the platform's. */
export const MyPlatform = v.object({
  id: number,
  is_activated: boolean,
  is_configured: boolean,
  platform_type: string,
  /** Where the tenant's staff work at this platform. Needs the feature `player_logins`. */
  panel_url: v.optional(maybe(string)),
});
export type MyPlatform = v.InferOutput<typeof MyPlatform>;

/** Blank removes it. The address holds no user name or password, because everybody at the tenant reads it. */
export const PanelAddress = v.object({
  panel_url: v.pipe(
    httpsUrl,
    v.maxLength(500, 'at most 500 characters'),
    v.check((url) => !hasCredentials(url), 'expected no user name or password'),
  ),
});

const hasCredentials = (address: string): boolean => {
  if (!URL.canParse(address)) return false;
  const { username, password } = new URL(address);
  return username !== '' || password !== '';
};
