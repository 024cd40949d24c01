/** All that the app keeps in local storage, and whose the tab is. Imports no React: the early script uses it. */
import type { SessionUser } from '../../contract/entities';
import { parseJson, parseStaff, parseUser, type StoredUser } from '../api/parse';

export type Session = { token: string; user: StoredUser } | { token: null; user: null };
export const noSession: Session = { token: null, user: null };

/** The session, as 'token' and 'user' (docs/product.md, "Sign-in and sessions"); none if a part is absent or wrong. */
export function storedSession(): Session {
  const token = storedToken(),
    user = parseUser(storedUser());
  return token && user ? { token, user } : noSession;
}
/** Only role and tenant. */
export const storedStaff = (): SessionUser | null => parseStaff(storedUser());
const storedUser = () => parseJson(localStorage.getItem('user') ?? '');

export const storedToken = (): string | null => localStorage.getItem('token');

export function saveSession(token: string, user: StoredUser): void {
  localStorage.setItem('token', token);
  localStorage.setItem('user', JSON.stringify(user));
}

/** Where a session has ended in this tab; null if none has. */
export const endedAt = (): string | null => sessionStorage.getItem('ended');
/** Forgets the person of this tab, their drafts and their address. */
export const clearTab = (): void => sessionStorage.clear();
export const keepPlace = (): void => sessionStorage.setItem('ended', location.pathname + location.search);

/**
 * The tab is used by this person from now on. Returns where to go: to where their session ended, or to the `root` if
 * somebody else, whose drafts and address they must not see, was here before.
 */
export function claimTab({ email = '' }: StoredUser, root: string): string | null {
  const before = sessionStorage.getItem('person'),
    place = endedAt();
  sessionStorage.removeItem('ended');
  if (email && before === email) return place;
  clearTab();
  if (email) sessionStorage.setItem('person', email);
  return before ? root : null;
}

/** Clears everything, the colour mode and demo mode too (docs/product.md, "Sign-in and sessions"). */
export const clearStorage = (): void => localStorage.clear();

export const colourModes = ['system', 'light', 'dark'] as const;
export type ColourMode = (typeof colourModes)[number];

/** The stored colour mode (docs/product.md, "Limits and constants"); 'system' if there is none or it is unknown. */
export const storedColourMode = (): ColourMode =>
  colourModes.find((mode) => mode === localStorage.getItem('colour_mode')) ?? 'system';
export const saveColourMode = (mode: ColourMode): void => localStorage.setItem('colour_mode', mode);

/** How this browser tells that rows came in: a preference of the person, off at first. */
export const signals = ['off', 'sound', 'notice'] as const;
export type Signal = (typeof signals)[number];
export const storedSignal = (): Signal =>
  signals.find((one) => one === localStorage.getItem('new_rows_signal')) ?? 'off';
export const saveSignal = (signal: Signal): void => localStorage.setItem('new_rows_signal', signal);

/** Applies a colour mode; the style sheet reads it from the root element. */
export function applyColourMode(mode: ColourMode): void {
  if (mode === 'system') document.documentElement.removeAttribute('data-theme');
  else document.documentElement.setAttribute('data-theme', mode);
}
