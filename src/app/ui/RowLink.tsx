import type { ComponentProps } from 'react';
import { useRouter } from 'wouter';
import { navigate } from 'wouter/use-browser-location';

/** In the state of an address to which a row led, so that what opened over it can go back to the row's list. */
export const FROM_ROW = 'row';

const playerOf = (address: string) => new URLSearchParams(address.split('?')[1]).get('player');

type Props = { to: string } & Omit<ComponentProps<'a'>, 'href' | 'onClick'>;
/** A link in a row. The router's own would listen to every change of the address, 200 times. */
export function RowLink({ to, ...link }: Props) {
  const href = useRouter().base + to;
  return (
    <a
      href={href}
      {...link}
      onClick={(event) => {
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
        const isOpen = playerOf(to) !== null && playerOf(to) === playerOf(location.search);
        navigate(href, isOpen ? { replace: true, state: history.state } : { state: FROM_ROW });
      }}
    />
  );
}
