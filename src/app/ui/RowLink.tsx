import type { ComponentProps } from 'react';
import { useRouter } from 'wouter';
import { navigate } from 'wouter/use-browser-location';

/**
 * A link in a row of a list. It does not use the router's own link: 200 of those would each listen to every change of
 * the address.
 */
export function RowLink({
  to,
  ...link
}: { to: string } & Pick<ComponentProps<'a'>, 'title' | 'className' | 'children'>) {
  const href = useRouter().base + to;
  return (
    <a
      href={href}
      {...link}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        navigate(href);
      }}
    />
  );
}
