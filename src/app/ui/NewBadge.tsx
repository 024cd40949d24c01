import { useEffect, useRef } from 'react';

/** Marks the row, and brings it into view. */
export function NewBadge() {
  const badge = useRef<HTMLElement>(null);
  useEffect(() => {
    badge.current?.closest('tr')?.scrollIntoView?.({ block: 'nearest' }); // newer browsers return a promise
  }, []);
  return (
    <small ref={badge} className="badge">
      New
    </small>
  );
}
