/** Passkeys (docs/extras/account.md). Bytes are base64url. */
import * as v from 'valibot';
import { boolean, filled, instant, maybe, nullAsBlank, number, secret, string, text } from './fields';

const bytes = v.pipe(filled(8000), v.regex(/^[\w-]+$/, 'expected base64url'));

/** A passkey of the signed-in person. */
export const Passkey = v.object({
  id: number,
  name: string,
  created_at: instant,
  last_used_at: maybe(instant),
  /** It is kept on several devices, such as by a password manager. */
  backed_up: boolean,
});
export type Passkey = v.InferOutput<typeof Passkey>;

/** The password, and a code where two-factor sign-in is on. */
export const Confirmation = v.object({ password: secret(1), code: nullAsBlank(text(40)) });

/** Both, where a passkey takes the place of the code that is asked for; neither, where it is all that is needed. */
export const PasskeyBegin = v.object({ email: nullAsBlank(text(254)), password: v.optional(secret(1)) });

/** What a passkey shall sign within 5 minutes, once. `credential_ids`: those of the account, if it is known. */
export const PasskeyChallenge = v.object({ challenge: string, rp_id: string, credential_ids: v.array(string) });
export type PasskeyChallenge = v.InferOutput<typeof PasskeyChallenge>;

/** The same for a new passkey, which none of `credential_ids` is to be. */
export const NewPasskeyChallenge = v.object({ ...PasskeyChallenge.entries, user_id: string, user_name: string });
export type NewPasskeyChallenge = v.InferOutput<typeof NewPasskeyChallenge>;

export const NewPasskey = v.object({ name: filled(60), client_data: bytes, authenticator_data: bytes });
export type NewPasskey = v.InferOutput<typeof NewPasskey>;

export const PasskeyAnswer = v.object({
  credential_id: bytes,
  client_data: bytes,
  authenticator_data: bytes,
  signature: bytes,
  user_handle: v.optional(v.nullable(bytes)),
});
export type PasskeyAnswer = v.InferOutput<typeof PasskeyAnswer>;
