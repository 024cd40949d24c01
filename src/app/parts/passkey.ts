/** Asks the browser for a passkey. Bytes are base64url where they are sent. */
import type { NewPasskey, NewPasskeyChallenge, PasskeyAnswer, PasskeyChallenge } from '../../contract/entities';
import { detailOr } from '../hooks/useErrorToast';
import { APP_TITLE } from '../ui/appTitle';

/** Browsers have none on a page that did not come over TLS. */
export const hasPasskeys = (): boolean => 'PublicKeyCredential' in window && 'credentials' in navigator;

const toBytes = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
const toText = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const toList = (ids: readonly string[]) => ids.map((id) => ({ id: toBytes(id), type: 'public-key' as const }));

export async function signWithPasskey({ challenge, rp_id, credential_ids }: PasskeyChallenge): Promise<PasskeyAnswer> {
  const made = (await navigator.credentials.get({
    publicKey: {
      challenge: toBytes(challenge),
      rpId: rp_id,
      allowCredentials: toList(credential_ids),
      userVerification: 'required',
    },
  })) as PublicKeyCredential;
  const response = made.response as AuthenticatorAssertionResponse;
  return {
    credential_id: made.id,
    client_data: toText(response.clientDataJSON),
    authenticator_data: toText(response.authenticatorData),
    signature: toText(response.signature),
    user_handle: response.userHandle && toText(response.userHandle),
  };
}

export async function makePasskey(asked: NewPasskeyChallenge): Promise<Omit<NewPasskey, 'name'>> {
  const made = (await navigator.credentials.create({
    publicKey: {
      challenge: toBytes(asked.challenge),
      rp: { id: asked.rp_id, name: APP_TITLE },
      user: { id: toBytes(asked.user_id), name: asked.user_name, displayName: asked.user_name },
      pubKeyCredParams: [-7, -257, -8].map((alg) => ({ alg, type: 'public-key' })),
      excludeCredentials: toList(asked.credential_ids),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    },
  })) as PublicKeyCredential;
  const response = made.response as AuthenticatorAttestationResponse;
  return {
    client_data: toText(response.clientDataJSON),
    authenticator_data: toText(response.getAuthenticatorData()),
  };
}

/** What the browser's refusals mean. */
const words: Readonly<Record<string, string>> = {
  NotAllowedError: 'No passkey was used. You can try again.',
  InvalidStateError: 'There is a passkey of this account on this device already.',
  SecurityError: 'Passkeys do not work at this address of the app.',
};
export const whyNoPasskey =
  (failed: string) =>
  (error: unknown): string =>
    (error instanceof DOMException && words[error.name]) || detailOr(failed)(error);
