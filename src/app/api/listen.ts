/** Listens to these events of the window; returns what ends it. `capture`: before what is in the page hears of them. */
export function listen<E extends Event>(types: readonly string[], hear: (event: E) => unknown, capture = false) {
  const listener = hear as EventListener;
  for (const type of types) addEventListener(type, listener, capture);
  return () => {
    for (const type of types) removeEventListener(type, listener, capture);
  };
}
