/**
 * Runs before anything is painted, beside the style sheet: the right colours at once, no login form for somebody signed in, and no native
 * sending of the login form that stands in the page before the app has arrived. Asks for the list with which the address opens, and starts the
 * other scripts: a form or list in sight comes first.
 */
import { ask } from './ask';
import { showMode, storedMode, storedToken } from './stored';

const { main = '', draw = '', app = '', late = '' } = document.currentScript?.dataset ?? {}; // build.mjs names the files
/** Beside this file. Trusted Types leave import() alone, but not a script element's address. */
const run = (name: string) => import(['.', name].join('/'));
const preload = (name: string) => {
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = `assets/${name}`;
  document.head.append(link);
  return link;
};

showMode(storedMode());
const token = storedToken();
if (token) {
  document.documentElement.classList.add('signed-in');
  // The largest part is asked for when the smallest has come, and so does not share the line with the others. What draws runs first, and that is seen
  // before the larger part begins to work.
  preload(draw).onload = () => preload(main);
  app.split(' ').forEach(preload);
  run(draw).catch(console.warn).finally(() => setTimeout(run, 20, main));
  ask(token); // takes longer to put than the scripts, which come out of the browser's cache the second time
  // What the other screens need, where the address opens with one of those.
  if (!/\/users\/?$/.test(location.pathname)) preload(late);
} else void run(main);

document.addEventListener('submit', (event) => {
  if (event.defaultPrevented) return; // the app has it
  event.preventDefault();
  document.documentElement.classList.add('submitted'); // Login sends it when it arrives
});
