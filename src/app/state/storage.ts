/** What is kept in local storage, and how it is read back. Knows no React: it also runs before the page is painted. */
import type { SessionUser } from '../../contract/entities';
import { parseJson, parseStaff, parseUser, type StoredUser } from '../api/parse';

export type Session = { token: string; user: StoredUser } | { token: null; user: null };
export const noSession: Session = { token: null, user: null };

/** The session kept under 'token' and 'user' (spec 3); anything incomplete or broken is none. */
export function storedSession(): Session {
  const token = storedToken(), user = parseUser(storedUser());
  return token && user ? { token, user } : noSession;
}
/** Role and tenant alone. */
export const storedStaff = (): SessionUser | null => parseStaff(storedUser());
const storedUser = () => parseJson(localStorage.getItem('user') ?? '');

export const storedToken = (): string | null => localStorage.getItem('token');

export function saveSession(token: string, user: StoredUser): void {
  localStorage.setItem('token', token);
  localStorage.setItem('user', JSON.stringify(user));
}

/** All of it, as logout and a 401 ask (spec 4): the colour mode and demo mode go too. */
export const clearStorage = (): void => localStorage.clear();

export const colourModes = ['system', 'light', 'dark'] as const;
export type ColourMode = (typeof colourModes)[number];

/** The mode kept in local storage (spec 9); nothing kept, or nothing we know, is the system's. */
export const storedColourMode = (): ColourMode => colourModes.find((mode) => mode === localStorage.getItem('colour_mode')) ?? 'system';
export const saveColourMode = (mode: ColourMode): void => localStorage.setItem('colour_mode', mode);

/** Shows a mode; the style sheet reads it off the root element. */
export function applyColourMode(mode: ColourMode): void {
  if (mode === 'system') document.documentElement.removeAttribute('data-theme');
  else document.documentElement.setAttribute('data-theme', mode);
}
