import { type ComponentType, useEffect, useState } from 'react';

/**
 * A component that is fetched when it is first shown. Unlike with `React.lazy`, a failed fetch can be retried, and a
 * component that is already loaded renders at once.
 */
export function lazyWithRetry<P extends object>(
  load: () => Promise<ComponentType<P>>,
): ComponentType<P> & { /** Fetches it before it is shown. */ fetch: () => Promise<void> } {
  let Part: ComponentType<P> | null = null;
  const fetch = async () => {
    Part ??= await load();
  };

  return Object.assign(LazyWithRetry, { fetch });

  function LazyWithRetry(props: P) {
    const [isHere, setHere] = useState(Part !== null);
    const [failures, setFailures] = useState(0);
    const [attempt, setAttempt] = useState(0);
    // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt fetches again
    useEffect(() => {
      if (Part) return setHere(true);
      let isWanted = true;
      fetch().then(
        () => {
          if (isWanted) setHere(true);
        },
        () => {
          if (isWanted) setFailures((old) => old + 1);
        },
      );
      return () => {
        isWanted = false;
      };
    }, [attempt]);

    if (isHere && Part) return <Part {...props} />;
    if (failures <= attempt)
      return (
        <p className="loading" aria-busy="true">
          Loading…
        </p>
      );
    return (
      <section role="alert" className="mishap">
        <p>This part of the app could not be loaded.</p>
        <button type="button" onClick={() => setAttempt(failures)}>
          Retry
        </button>
        {failures > 1 && (
          <button type="button" className="secondary" onClick={() => location.reload()}>
            Reload the page
          </button>
        )}
      </section>
    );
  }
}
