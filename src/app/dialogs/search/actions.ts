/** The screens and actions that the search finds by what they are called, or by other words for them. */
import { SEARCH_HITS, SEARCH_MIN } from '../../../contract/search';
import type { Command } from '../../parts/CommandButton';
import { applyColourMode, type ColourMode, saveColourMode } from '../../state/storage';
import type { Group, Option, Screens } from './groups';

/** What else a person may call it. */
const otherWords: Record<string, string> = {
  Tenants: 'brands customers add new tenant',
  Platforms: 'games credentials fire kirin golden blue dragon milky way orion stars panda juwa river lucky sweeps',
  Admins: 'staff team accounts create admin',
  Purchases: 'top-ups payments export csv import',
  Users: 'players customers create new user export csv import',
  Deposits: 'payments export csv import',
  Redeems: 'withdrawals payouts cash-outs create new manual redeem export csv import',
  'Payment Methods': 'processors gateways webhooks apex btc flikpay',
  'Affiliate Tracking': 'partners referrals',
  Audit: 'log history changes',
  'API keys': 'integrations tokens',
  Notifications: 'alerts rules channels bell',
  Team: 'staff colleagues permissions',
  Account: 'password two-factor sessions security',
  Logout: 'sign out log out leave end session',
  'Export CSV': 'download file spreadsheet',
  Import: 'upload csv file',
  'Create User': 'new add player',
  'Create Manual Redeem': 'new add payout withdrawal',
  'Create Admin': 'new add staff',
  'Add Payment Method': 'new create processor',
  'Edit Balances': 'adjust credit bonus vip loyalty',
  'Hold payouts': 'stop block redeems',
  'Release payouts': 'hold redeems',
};
/** Other words are found from so many characters on: fewer begin too many of them. */
const OTHER_WORDS_MIN = 3;

const modes: Record<string, ColourMode> = {
  'Light colour mode': 'light',
  'Dark colour mode': 'dark',
  'Colour mode of the system': 'system',
};
export const colourModeCommands: readonly Command[] = Object.entries(modes).map(([name, mode]) => ({
  name,
  run() {
    saveColourMode(mode);
    applyColourMode(mode);
  },
}));

interface Fit {
  /** 0: the name starts with the text, 1: it contains it, 2: other words for it do. */
  rank: 0 | 1 | 2;
  /** The other words that were meant. */
  by: string;
}

/** How well a name fits a text; null if it does not. */
function fit(name: string, text: string): Fit | null {
  const [own, wanted] = [name.toLowerCase(), text.toLowerCase()];
  if (own.startsWith(wanted)) return { rank: 0, by: '' };
  if (own.includes(wanted)) return { rank: 1, by: '' };
  if (wanted.length < OTHER_WORDS_MIN) return null;
  const known = `${otherWords[name] ?? ''} ${own}`.trim().split(' ');
  const meant = wanted.split(/\s+/).map((word) => known.find((one) => one.startsWith(word)));
  return meant.includes(undefined) ? null : { rank: 2, by: meant.join(' ') };
}

/** The screens and actions for a text, best first. A screen comes before an action that fits as well. */
export function findPlaces(screens: Screens, actions: readonly Command[], text: string): Group[] {
  if (!text) return [];
  const unsaid = { name: '', about: '' };
  const offered = text.length < SEARCH_MIN ? [] : actions;
  const kinds: [title: string, options: Option[]][] = [
    ['Screens', screens.map(([href, title]) => ({ key: href, href, title, ...unsaid }))],
    ['Actions', offered.map(({ name, run }) => ({ key: name, run, title: name, ...unsaid }))],
  ];
  return kinds
    .flatMap(([title, options]) => {
      const found = options
        .flatMap((option) => {
          const found = fit(option.title, text);
          return found ? [{ rank: found.rank, option: { ...option, about: found.by } }] : [];
        })
        .toSorted((a, b) => a.rank - b.rank);
      const [best] = found;
      return best ? [{ title, best: best.rank, options: found.slice(0, SEARCH_HITS).map(({ option }) => option) }] : [];
    })
    .toSorted((a, b) => a.best - b.best);
}
