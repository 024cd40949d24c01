import * as v from 'valibot';
import { boolean, chars, id, maybe, number, string, text, visible } from './fields';

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

/** The tenant that loses a platform. */
export const UnassignForm = v.object({ tenant_id: id });
export type UnassignForm = v.InferOutput<typeof UnassignForm>;

/** `platform_type` is 'manual' or 'api'; optional on other servers. */
export const AvailablePlatform = v.object({ ...platform, platform_type: string });
export type AvailablePlatform = v.InferOutput<typeof AvailablePlatform>;

/** An assignment as its tenant sees it; `id` is the platform's. */
export const MyPlatform = v.object({
  id: number,
  is_activated: boolean,
  is_configured: boolean,
  platform_type: string,
});
export type MyPlatform = v.InferOutput<typeof MyPlatform>;
