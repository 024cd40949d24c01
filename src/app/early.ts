/**
 * Runs before anything is painted, beside the style sheet: the right colours at once, no login form for somebody signed in,
 * and no native sending of the login form that stands in the page before the app has arrived.
 */
import { showMode, storedMode, storedToken } from './stored';

showMode(storedMode());
if (storedToken()) {
  document.documentElement.classList.add('signed-in');
  // What comes after the first script is fetched beside it; build.mjs names the files.
  for (const name of document.currentScript?.dataset['parts']?.split(' ') ?? []) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = `assets/${name}`;
    document.head.append(link);
  }
}

document.addEventListener('submit', (event) => {
  if (event.defaultPrevented) return; // the app has it
  event.preventDefault();
  document.documentElement.classList.add('submitted'); // Login sends it when it arrives
});
