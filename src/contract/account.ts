/** What signing in and one's own account are about. */
import type { Feature } from './constants';
import type { SessionUser } from './entities';

/** `code` is an addition, sent once the server has asked for it: a 401 with the code `second_factor`. */
export interface Credentials { email: string; password: string; code?: string }
export interface LoginAnswer {
  access_token: string;
  user: SessionUser;
  /** An addition: what this server can do beyond the specification. */
  features?: Feature[];
}

/** The signed-in person's own account; needs the feature `account`. `two_factor_at` is when the second factor was turned on. */
export interface Account { email: string; has_two_factor: boolean; two_factor_at: string | null; must_have_two_factor: boolean; recovery_codes_left: number }
export interface PasswordForm { current_password: string; new_password: string }
/** One of one's own sessions that can still be used; `browser` in words. */
export interface OwnSession { id: number; created_at: string; last_seen_at: string; address: string; browser: string; is_current: boolean }
/** What an authenticator app needs, shown this once. The QR code is `size` squares wide, its dark ones as the data of an SVG path to be stroked. */
export interface TwoFactorSetup { secret: string; uri: string; qr: { size: number; path: string } }
/** Shown this once; each lets in once. */
export interface RecoveryCodes { recovery_codes: string[] }
/** The password, and a code of the authenticator app or a recovery code. */
export interface BothFactors { password: string; code: string }
