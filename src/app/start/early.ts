/**
 * Inline in index.html, before the first paint: sets the colour mode; for a signed-in user it sends the first request
 * and preloads the screens; the login form cannot be submitted before the app can handle it.
 */
import { applyColourMode, storedColourMode, storedToken } from '../state/storage';
import { opensOnUsers, prefetch } from './prefetch';

/** The files of the app's shell with the Users screen, and those of all other screens; build.mjs writes their names. */
const { app = '', screens = '' } = document.currentScript?.dataset ?? {};

function preload(files: string): void {
  for (const href of files.split(' ')) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = href;
    document.head.append(link);
  }
}

applyColourMode(storedColourMode());
const token = storedToken();
if (token) {
  document.documentElement.classList.add('signed-in');
  prefetch(token);
  preload(app);
  if (!opensOnUsers()) preload(screens); // otherwise they come once the rows are there
}

// A script of the app did not arrive.
addEventListener(
  'error',
  ({ target }) => {
    if (!(target instanceof HTMLScriptElement)) return;
    const message = document.createElement('p');
    message.className = 'offline';
    message.role = 'alert';
    message.textContent = 'The app could not be loaded. Check your connection and reload the page.';
    document.body.prepend(message);
  },
  true,
);

document.addEventListener('submit', (event) => {
  if (event.defaultPrevented) return; // the app handles it
  event.preventDefault();
  document.documentElement.classList.add('submitted'); // Login submits again once it is hydrated
});
