import { type ComponentType, useEffect, useState } from 'react';

export const NEW_VERSION = 'A new version is ready. What you have typed stays, except passwords.';

/** Fetched when first shown. Unlike `React.lazy`, a failed fetch can be retried, and a loaded part renders at once. */
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
    const [isGone, setGone] = useState(false);
    // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt fetches again
    useEffect(() => {
      if (Part) return setHere(true);
      let isWanted = true;
      fetch().then(
        () => {
          if (isWanted) setHere(true);
        },
        async () => {
          const isReplaced = await isAppReplaced();
          if (!isWanted) return;
          setGone(isReplaced);
          setFailures((old) => old + 1);
        },
      );
      return () => void (isWanted = false);
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
        <p>{isGone ? NEW_VERSION : 'This part of the app could not be loaded.'}</p>
        {!isGone && (
          <button type="button" onClick={() => setAttempt(failures)}>
            Retry
          </button>
        )}
        {(isGone || failures > 1) && (
          <button type="button" className={isGone ? undefined : 'secondary'} onClick={() => location.reload()}>
            Reload the page
          </button>
        )}
      </section>
    );
  }
}

/** Whether the page names other files by now, so that those of this version may be gone for good. */
async function isAppReplaced(): Promise<boolean> {
  const main = document.querySelector('[type=module]')?.getAttribute('src');
  const page = await fetch(document.baseURI)
    .then((answer) => answer.text())
    .catch(() => '');
  return !!main && page.includes('id="root"') && !page.includes(main);
}
