/** Why a single sign-on is refused. */
import * as oidc from 'openid-client';
import { Problem } from '../core/problem';
import { describeFailure, ProviderFailed } from './provider';

const AGAIN = 'This sign-in was used before or took too long. Start again',
  INVALID = 'The answer of the identity provider is not valid, so nobody is signed in. Tell whoever looks after it',
  NOBODY = 'There is no account here for you. Ask whoever manages your team';
/** Why a single sign-on is refused: what the person is told, and what the audit log says. */
const refusals = {
  state: [AGAIN, 'the state is unknown'],
  late: [AGAIN, 'the sign-in took longer than ten minutes'],
  replayed: [AGAIN, 'the state was used before'],
  browser: ['This sign-in was begun in another browser. Start again in this one', 'it was begun in another browser'],
  off: ['Single sign-on is switched off here', 'the identity provider is switched off'],
  mixed_up: [INVALID, 'the answer is of another identity provider'],
  denied: ['The identity provider did not sign you in', 'the identity provider refused the person'],
  code: ['The identity provider refused this sign-in. Start again', 'the identity provider refused the code'],
  issuer: [INVALID, 'the ID token is of another issuer'],
  audience: [INVALID, 'the ID token is for another application'],
  nonce: [INVALID, 'the ID token is of another sign-in'],
  algorithm: [INVALID, 'the ID token is not signed with an algorithm that is taken'],
  key: [INVALID, 'the ID token is not signed with a key of the identity provider'],
  expired: ['The answer of the identity provider is too old. Start again', 'the ID token has expired'],
  answer: [INVALID, 'the answer of the identity provider cannot be read'],
  away: ['The identity provider cannot be reached. Try again shortly', 'the identity provider cannot be reached'],
  unverified: [
    'Your identity provider does not confirm your email. Ask whoever looks after it',
    'the identity provider has not verified the email',
  ],
  unknown: [NOBODY, 'no account here has the email'],
  linked: [
    'Your email belongs to another person of the identity provider. Ask whoever manages your team',
    'the account belongs to another subject',
  ],
  disabled: ['Your account is switched off', 'the account is switched off'],
  groups: ['None of your groups may sign in here. Ask whoever manages your team', 'no group of the person has a job'],
} as const;
export type Refusal = keyof typeof refusals;

export const problemOf = (refusal: Refusal): Problem => new Problem(403, refusals[refusal][0], undefined, 'sso');
/** With what the provider itself says, for whoever looks for the reason. */
export function wordsOf(refusal: Refusal, error?: unknown): string {
  const said =
    error instanceof oidc.AuthorizationResponseError || error instanceof oidc.ResponseBodyError
      ? error.error
      : ['away', 'answer'].includes(refusal) && describeFailure(error);
  return refusals[refusal][1] + (said ? ` (${said.replace(/[^\x20-\x7e]/g, '?').slice(0, 200)})` : '');
}

/** Why an answer is not believed: what openid-client found. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof ProviderFailed) return 'away';
  if (error instanceof oidc.AuthorizationResponseError) return 'denied';
  if (error instanceof oidc.ResponseBodyError) return 'code';
  const { code } = error as { code?: string },
    words = describeFailure(error);
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') return 'expired';
  if (/"iss" \(issuer\) response param|"iss" \(issuer\) missing|parameter "iss"/.test(words)) return 'mixed_up';
  if (/"iss" \(issuer\) claim/.test(words)) return 'issuer';
  if (/"(aud|azp)"/.test(words)) return 'audience';
  if (/"nonce"/.test(words)) return 'nonce';
  if (/"alg"|JWS alg/.test(words)) return 'algorithm';
  if (/signature|verification key/.test(words)) return 'key';
  return code?.startsWith('OAUTH_') ? 'answer' : 'away';
}
