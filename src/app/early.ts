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
const link = (rel: string, name: string) => {
  const element = document.createElement('link');
  element.rel = rel;
  element.href = `assets/${name}`;
  document.head.append(element);
};

showMode(storedMode());
const token = storedToken();
if (token) {
  ask(token);
  document.documentElement.classList.add('signed-in');
  // All of it is fetched at once. What draws runs first, and that is seen before the larger part begins to work.
  for (const name of [draw, ...app.split(' '), main]) link('modulepreload', name);
  run(draw).catch(console.warn).finally(() => setTimeout(run, 20, main));
  // What the other screens need, where the address opens with one of those.
  if (!/\/users\/?$/.test(location.pathname)) link('modulepreload', late);
} else void run(main);

document.addEventListener('submit', (event) => {
  if (event.defaultPrevented) return; // the app has it
  event.preventDefault();
  document.documentElement.classList.add('submitted'); // Login sends it when it arrives
});
