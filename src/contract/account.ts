/** Records of signing in and of the signed-in person's own account (docs/product.md, "Sign-in and sessions"). */
import type { Feature } from './constants';
import type { SessionUser } from './entities';

/** `code` is sent only after the server asked for it with a 401 and the code `second_factor`. */
export interface Credentials {
  email: string;
  password: string;
  code?: string;
}
export interface LoginAnswer {
  access_token: string;
  user: SessionUser;
  /** What this server offers beyond the calls that every server has. */
  features?: Feature[];
}

/**
 * The signed-in person's own account; needs the feature `account`. `two_factor_at` is when two-factor sign-in was
 * turned on.
 */
export interface Account {
  email: string;
  has_two_factor: boolean;
  two_factor_at: string | null;
  must_have_two_factor: boolean;
  recovery_codes_left: number;
}
export interface PasswordForm {
  current_password: string;
  new_password: string;
}
/** An active session of the signed-in person; `browser` is a description such as "Firefox on Linux". */
export interface OwnSession {
  id: number;
  created_at: string;
  last_seen_at: string;
  address: string;
  browser: string;
  is_current: boolean;
}
/**
 * What an authenticator app needs; shown only once. The QR code is `size` modules wide; `path` is an SVG path to be
 * stroked.
 */
export interface TwoFactorSetup {
  secret: string;
  uri: string;
  qr: { size: number; path: string };
}
/** Shown only once. Each code can be used once to sign in. */
export interface RecoveryCodes {
  recovery_codes: string[];
}
/** The password, and a code from the authenticator app or a recovery code. */
export interface BothFactors {
  password: string;
  code: string;
}
