/**
 * Runs before anything is painted, beside the style sheet: the right colours at once, no login form for somebody signed in, and no native
 * sending of the login form that stands in the page before the app has arrived. Starts the other scripts: a form or list in sight comes first.
 */
import { showMode, storedMode, storedToken } from './stored';

const { main = '', ask = '', draw = '', app = '', late = '' } = document.currentScript?.dataset ?? {}; // build.mjs names the files
/** Beside this file. Trusted Types leave import() alone, but not a script element's address. */
const run = (name: string) => import(['.', name].join('/'));
const link = (rel: string, name: string) => {
  const element = document.createElement('link');
  element.rel = rel;
  element.href = `assets/${name}`;
  document.head.append(element);
};

showMode(storedMode());
if (storedToken()) {
  document.documentElement.classList.add('signed-in');
  // All of it is fetched at once. What asks runs first, then what draws, and that is seen before the larger part begins to work.
  for (const name of [ask, draw, ...app.split(' '), main]) link('modulepreload', name);
  run(ask).finally(() => run(draw)).catch(console.warn).finally(() => setTimeout(run, 20, main));
  // What the other screens and the dialogs need: at once where the address opens with one of those.
  if (/\/users\/?$/.test(location.pathname)) addEventListener('load', () => setTimeout(link, 5000, 'prefetch', late));
  else link('modulepreload', late);
} else void run(main);

document.addEventListener('submit', (event) => {
  if (event.defaultPrevented) return; // the app has it
  event.preventDefault();
  document.documentElement.classList.add('submitted'); // Login sends it when it arrives
});
