/** A read repeated every so many ms at most, failed or not, and never twice at once: nobody can load the database. */
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
