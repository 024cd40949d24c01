/**
 * A read that is repeated at most every so many milliseconds, and never twice at once, so that nobody can load the
 * database by asking for it. A failed read counts too.
 */
export function remembered<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let last: { value: Promise<T>; until: number } | undefined;
  return () => {
    if (last && Date.now() < last.until) return last.value;
    const mine = { value: read(), until: Infinity };
    const settle = () => {
      mine.until = Date.now() + ms;
    };
    mine.value.then(settle, settle);
    last = mine;
    return mine.value;
  };
}
