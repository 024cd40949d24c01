/**
 * Every screen and dialog, with everything that can be typed or sent full of markup: it is text, the words are those of
 * a product, and each call that fails is told without losing the screen or what was typed.
 */
import { cleanup } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../../src/contract/allCalls';
import type { CallName, CallSpec } from '../../../src/contract/calls';
import { manualRedeemPlatforms } from '../../../src/contract/platforms';
import { nonsense, respondWith } from '../network';
import { isCalled, labelOf, look, offers, restoreWindow, type Seen, type Surface } from './look';
import { surfaces } from './surfaces';
import { fillWorld, plantMarkup } from './world';

test.before(async () => {
  await fillWorld();
  await plantMarkup();
});
test.after(cleanup);
test.after(restoreWindow);

/** What the specification does not ask for and nobody should read. */
const odd: readonly RegExp[] = [
  new RegExp(`\\b(${manualRedeemPlatforms.filter((name) => /_|\d/.test(name)).join('|')})\\b`),
  /\be-mails?\b/i,
  /\bNothing was done\b|\bmean nothing here\b|\bhow they begin\b|\bI have kept\b/,
  /\b\d{5,} (transactions|users|redeems|purchases)\b/,
];
/** Extras that nobody waits for: when they fail, it is only logged. */
const quiet: CallName[] = [
  ...(['countListed', 'sumListed', 'countNew', 'watchList', 'getQueueSettings', 'countPending'] as const),
  ...(['getTenantSetup', 'listTenantFigures', 'countUnreadNotifications', 'logout', 'listApprovals'] as const),
  'listTenants',
];
const spec = (name: CallName): CallSpec => calls[name];
/** The first screen or dialog that makes a call. */
const madeBy = new Map<CallName, Surface>();
const textOf = ({ screen }: Seen) => screen.baseElement.textContent ?? '';
/** An error on the screen or in a message. */
const saysSo = ({ screen }: Seen) =>
  [...screen.baseElement.querySelectorAll('[role=alert], .toast, .error, dialog, main')].some((one) =>
    /Failed to |Error |Not like this|could not/i.test(one.textContent ?? ''),
  ) || /Failed to |Error |Not like this/.test(screen.baseElement.textContent ?? '');
const alive = '[data-alive], a[href^="javascript:" i]';

test('every screen and dialog is there, shows markup as text, and speaks no code [ASVS 1.3.2, 3.2.2]', async () => {
  const found: string[] = [];
  for (const surface of surfaces) {
    const seen = await look(surface, offers);
    if (!seen) {
      found.push(`${surface.name}: one of its 'press' in test/app/features/surfaces.tsx is not there`);
      continue;
    }
    if (seen.screen.baseElement.querySelector(alive)) found.push(`${surface.name} takes text for markup`);
    for (const words of [...odd, nonsense]) {
      const hit = words.exec(textOf(seen))?.[0];
      if (hit) found.push(`${surface.name} says '${hit}'`);
    }
    const write = seen.made.find((call) => spec(call).method !== 'GET' || spec(call).answer === 'csv');
    if (surface.send && !write && !surface.isRead)
      found.push(`${surface.name}: '${surface.send}' sends nothing; see its 'fill'`);
    for (const call of seen.made) if (!madeBy.has(call) || call === write) madeBy.set(call, surface);
  }
  assert.is(found.join('\n'), '');
});

/** Calls that take more than typing and one click, and what; their own tests below test/app make them fail. */
const elsewhere: Record<string, string> = {
  'a sign-in': `login loginToTenant askForPasswordLink choosePassword beginPasskey finishPasskey beginSso finishSso`,
  'a decision, which can be undone': 'changePurchaseStatus changeRedeemStatus',
  'typing that rests': 'searchPlayers search createManualRedeem createReturn',
  'a password that is checked while it is typed': 'createPlayer',
  'a file': 'checkImport importRows',
  'a passkey': 'beginNewPasskey addPasskey removePasskey',
  'a moment of polling': 'countNew watchList',
  'a second question or a row of its own': `activateMyPlatform deactivateMyPlatform togglePaymentMethod getCharts
    listNotificationRows closeMonth getStatement exportStatement exportPurchases addPlayerTags setPlayerActive
    getAllowedNetworks saveAllowedNetworks getIdentityProvider saveIdentityProvider createTeamMember inviteTeamMember
    updateTeamMember approveChange endApproval endSession endOtherSessions resetTwoFactor confirmTwoFactor
    turnOffTwoFactor renewRecoveryCodes createSavedView deleteSavedView listSavedViews releaseRow`,
  'a rule or channel that is open': `readNotifications saveNotificationRule muteNotificationRule addNotificationChannel
    switchNotificationChannel renewChannelSecret confirmNotificationChannel testNotificationChannel
    removeNotificationChannel resendNotification`,
};
const isElsewhere = (call: string) => Object.values(elsewhere).some((names) => names.split(/\s+/).includes(call));

test('every call is made by a screen or dialog of test/app/features/surfaces.tsx', () => {
  const missing = Object.entries<CallSpec>(calls).filter(
    ([name, { who, isSigned }]) => who !== 'key' && !isSigned && !madeBy.has(name as CallName) && !isElsewhere(name),
  );
  assert.is(missing.map(([name]) => `${name}: add what makes it`).join('\n'), '');
});

/** What the specification has for some of them, where no other test waits for it. */
const told: Partial<Record<CallName, string>> = {
  listAdmins: 'Failed to fetch admins',
  createAdmin: 'Failed to save admin',
  updateAdmin: 'Failed to save admin',
  disableAdmin: 'Failed to disable admin',
  createTenant: 'Failed to create tenant',
  updateTenant: 'Failed to save tenant',
  listPurchases: 'Failed to fetch purchases',
  listDeposits: 'Failed to fetch purchases',
  listRedeems: 'Failed to fetch redeems',
  listPlatforms: 'Failed to fetch platforms',
  saveAssignment: 'Failed to update credentials',
  saveMyPlatformCredentials: 'Failed to save credentials',
  updatePlayerCredential: 'Failed to update platform credential',
  updatePlayer: 'Failed to save user',
  getAffiliateStats: 'Failed to fetch affiliate stats',
};

test('each call that fails is told; the screen and what was typed stay, and Retry mends it', async () => {
  const found: string[] = [];
  for (const [call, surface] of madeBy) {
    let isBroken = true;
    const refuse = (made: CallName) =>
      made === call && isBroken
        ? spec(call).method === 'GET'
          ? respondWith('Bad Gateway', 502)
          : respondWith({ detail: 'Not like this', code: 'invalid' }, 422)
        : undefined;
    const seen = await look(surface, offers, refuse);
    const what = `${surface.name} without an answer to ${call}`;
    if (!seen) {
      found.push(`${what} is not there`);
      continue;
    }
    const text = textOf(seen);
    if (nonsense.test(text)) found.push(`${what} says '${nonsense.exec(text)?.[0]}'`);
    if (!quiet.includes(call) && !saysSo(seen)) found.push(`${what} does not say so`);
    if (!text.includes(told[call] ?? '')) found.push(`${what} does not say '${told[call]}'`);
    const isWrite = spec(call).method !== 'GET';
    if (isWrite && !quiet.includes(call) && !text.includes('Not like this')) found.push(`${what} does not say why`);
    const typed = isWrite ? Object.entries(surface.fill ?? {}) : [];
    for (const [label, value] of typed) {
      const field = [...seen.screen.baseElement.querySelectorAll<HTMLInputElement>('input, textarea, select')].findLast(
        (one) => isCalled(labelOf(one), label),
      );
      if (field?.value !== value) found.push(`${what} loses what was typed into '${label}'`);
    }
    isBroken = false;
    if ((await seen.press('Retry')) && (await seen.press('Retry'))) found.push(`${what} stays broken after Retry`);
  }
  assert.is(found.join('\n'), '');
});

test.run();
