import { ApiError } from '../../api/client';

const isDenied = (error: unknown) => error instanceof ApiError && error.status === 403;

/** A 403 has its own message on this screen (docs/product.md, "Messages"). */
export const deniedOr =
  (words: string) =>
  (error: unknown): string =>
    isDenied(error) ? "Access denied: You can only access your own tenant's data" : words;

/** A 403 has another message when saving. */
export const saveDeniedOr =
  (words: string) =>
  (error: unknown): string =>
    isDenied(error) ? 'Access denied: You can only manage users in your own tenant' : words;

/** The error that a server would send for another tenant, so that it is handled in one place. */
export const outsideTenant = () => new ApiError(403, 'Tenant access violation');
