/** Gives each variable of a style sheet a name of a letter or two, the most used the shortest. What `sources` name keeps its name. */
export function shortNames(css, sources = '') {
  const counts = new Map();
  for (const [name] of css.matchAll(/--[a-z][\w-]*/g)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const kept = new Set([...counts.keys()].filter((name) => sources.includes(name))), short = new Map();
  let n = 0;
  for (const [name] of [...counts].sort(([, a], [, b]) => b - a)) {
    if (kept.has(name)) continue;
    do short.set(name, `--${n < 26 ? String.fromCharCode(97 + n) : `z${n - 26}`}`); while (n++ >= 0 && kept.has(short.get(name)));
  }
  return css.replace(/--[a-z][\w-]*/g, (name) => short.get(name) ?? name);
}
