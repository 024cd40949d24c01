import type { ReactNode } from 'react';
import { useRouter } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import type { useMarks } from './useMarks';

/** A bar that leads to the list behind it, or without a list only says what it is. */
export function Mark({
  to,
  children,
  ...mark
}: { to: string | undefined; children: ReactNode } & ReturnType<ReturnType<typeof useMarks>['mark']>) {
  const { base } = useRouter();
  if (!to)
    return (
      <g role="img" {...mark}>
        {children}
      </g>
    );
  const href = base + to;
  return (
    <a
      href={href}
      {...mark}
      onClick={(event) => {
        mark.onClick(event);
        if (
          event.defaultPrevented ||
          event.ctrlKey ||
          event.metaKey ||
          event.altKey ||
          event.shiftKey ||
          event.button !== 0
        )
          return;
        event.preventDefault();
        navigate(href);
      }}
    >
      {children}
    </a>
  );
}
