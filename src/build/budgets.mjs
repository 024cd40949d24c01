/**
 * What a visit may transfer, in bytes after brotli. `login` (a first visit to the login) and `users` (to fifty users)
 * are promises to people on slow connections. `everything` is the size when it was last recorded.
 */
const budgets = {
  standard: { login: 82_000, users: 97_000, everything: 196_647 },
  light: { login: 28_300, users: 44_000, everything: 145_040 },
};
const ROOM = 1.05;

const FIRST_VISIT =
  'Load less at first (lazyWithRetry). Only a maintainer raises this budget, in src/build/budgets.mjs, in a commit of ' +
  'its own that says what people get for it.';
const EVERYTHING =
  'That is more than 5 % above the recorded size. If the features are worth it, whoever adds the last of them records ' +
  'the new size in src/build/budgets.mjs and names them in the commit.';

/** One line for each visit, with the difference to the last build, and what is over its budget. */
export function compare(kind, sizes, last) {
  const most = { ...budgets[kind], everything: Math.round(budgets[kind].everything * ROOM) };
  const names = Object.keys(most);
  const lines = names.map((name) => {
    const change = last && sizes[name] - last[name];
    const difference = change === undefined ? '' : `, ${change < 0 ? '' : '+'}${change} B since the last build`;
    return `${String(sizes[name]).padStart(8)} ${kind} ${name} (budget ${most[name]}${difference})`;
  });
  const faults = names
    .filter((name) => sizes[name] > most[name])
    .map((name) => {
      const advice = name === 'everything' ? EVERYTHING : FIRST_VISIT;
      return `The ${kind} build is over its budget: ${name} is ${sizes[name]} of ${most[name]} bytes. ${advice}`;
    });
  return { lines, faults };
}
