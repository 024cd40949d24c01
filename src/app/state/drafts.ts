/** What was typed and not sent, kept for the tab until somebody signs out or in as another; never passwords or keys. */
import { isObject, type Json, parseJson } from '../api/parse';

const toKey = (name: string) => `draft ${name}`;

/** The draft of this name; null if there is none. */
export function readDraft(name: string): Json | null {
  const draft = parseJson(sessionStorage.getItem(toKey(name)) ?? '');
  return isObject(draft) ? draft : null;
}

/** Keeps a draft; an empty one is removed. */
export function saveDraft(name: string, draft: Json): void {
  if (Object.keys(draft).length) sessionStorage.setItem(toKey(name), JSON.stringify(draft));
  else sessionStorage.removeItem(toKey(name));
}
