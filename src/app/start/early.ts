/**
 * Stands inline in index.html and runs before anything is painted: sets the colour mode, and for somebody signed in hides the login form,
 * sends the first request and preloads the screens. Keeps the login form from being sent before the app can handle it.
 */
import { showMode, storedMode, storedToken } from '../stored';
import { prefetch } from './prefetch';

showMode(storedMode());
const token = storedToken();
if (token) {
  document.documentElement.classList.add('signed-in');
  prefetch(token);
  for (const href of document.currentScript?.dataset['screens']?.split(' ') ?? []) { // written by build.mjs
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = href;
    document.head.append(link);
  }
}

document.addEventListener('submit', (event) => {
  if (event.defaultPrevented) return; // the app handles it
  event.preventDefault();
  document.documentElement.classList.add('submitted'); // Login submits again once it is hydrated
});
