/** The schemas of the calls about signing in, the own account, and from where people may sign in (schemas.ts). */
import * as v from 'valibot';
import * as account from '../contract/schemas/account';
import * as admins from '../contract/schemas/admins';
import { Ok, TenantQuery } from '../contract/schemas/fields';
import * as passkeys from '../contract/schemas/passkeys';
import * as sso from '../contract/schemas/sso';

export const signInSchemas = {
  login: { body: account.Credentials, answer: account.LoginAnswer },
  loginToTenant: { body: account.Credentials, answer: account.LoginAnswer },
  logout: { answer: sso.LoggedOut },
  askForPasswordLink: { body: account.LinkRequest, answer: Ok },
  choosePassword: { body: account.ChosenPassword, answer: Ok },
  beginSso: { body: sso.SsoStart, answer: sso.SsoStarted },
  finishSso: { body: sso.SsoReturn, answer: sso.SsoAnswer },
  getIdentityProvider: { query: TenantQuery, answer: sso.IdentityProvider },
  saveIdentityProvider: { body: sso.IdentityProviderForm, answer: sso.IdentityProvider },
  getAllowedNetworks: { query: TenantQuery, answer: admins.AllowedNetworks },
  saveAllowedNetworks: { body: admins.NetworksForm, answer: admins.AllowedNetworks },
  getAccount: { answer: account.Account },
  changePassword: { body: account.PasswordForm, answer: account.PasswordChanged },
  listSessions: { answer: v.array(account.OwnSession) },
  endSession: { answer: Ok },
  endOtherSessions: { answer: Ok },
  setUpTwoFactor: { body: account.PasswordOnly, answer: account.TwoFactorSetup },
  confirmTwoFactor: { body: account.CodeOnly, answer: account.TwoFactorConfirmed },
  turnOffTwoFactor: { body: account.BothFactors, answer: Ok },
  renewRecoveryCodes: { body: account.BothFactors, answer: account.RecoveryCodes },
  beginPasskey: { body: passkeys.PasskeyBegin, answer: passkeys.PasskeyChallenge },
  finishPasskey: { body: passkeys.PasskeyAnswer, answer: account.LoginAnswer },
  listPasskeys: { answer: v.array(passkeys.Passkey) },
  beginNewPasskey: { body: passkeys.Confirmation, answer: passkeys.NewPasskeyChallenge },
  addPasskey: { body: passkeys.NewPasskey, answer: Ok },
  removePasskey: { body: passkeys.Confirmation, answer: Ok },
  resetTwoFactor: { answer: Ok },
};
