import { ApiError } from '../../api/client';

const isDenied = (error: unknown) => error instanceof ApiError && error.status === 403;

/** A 403 has words of its own on this screen (spec 8). */
export const deniedOr = (words: string) => (error: unknown): string =>
  (isDenied(error) ? "Access denied: You can only access your own tenant's data" : words);

/** And others when it was about saving. */
export const saveDeniedOr = (words: string) => (error: unknown): string =>
  (isDenied(error) ? 'Access denied: You can only manage users in your own tenant' : words);

/** What a server would say of another tenant, so that there is one way to tell. */
export const outsideTenant = () => new ApiError(403, 'Tenant access violation');
