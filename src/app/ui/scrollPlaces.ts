import { listen } from '../api/listen';

/** How long a list may take to load before its place is given up. */
const GIVE_UP_MS = 10_000;

const here = () => location.pathname + location.search;
const isFrame = (target: unknown): target is HTMLElement =>
  target instanceof HTMLElement && target.matches('main .frame');

/** From now on, going back to a list scrolls it to where it was left, and focuses the link that led away. */
export function keepScrollPlaces(): void {
  /** By address: the page ('') and the frames in it, by name. */
  const places = new Map<string, Map<string, number>>();
  const links = new Map<string, string>();
  let address = here();
  let stop: (() => void) | undefined;

  function keep(target: unknown): void {
    if (stop || !(target === document || isFrame(target))) return;
    const [name, top] = isFrame(target) ? [target.ariaLabel ?? '', target.scrollTop] : ['', window.scrollY];
    const place = places.get(here()) ?? new Map<string, number>();
    places.set(here(), place.set(name, top));
  }
  const onScroll = ({ target }: Event) => keep(target);
  function onLeave(): void {
    const href = document.activeElement?.getAttribute('href');
    if (href) links.set(address, href);
    else links.delete(address);
    address = here();
  }
  function onBack(): void {
    address = here();
    stop?.();
    stop = returnTo(places.get(address), links.get(address), () => void (stop = undefined));
  }

  // Lists may have been scrolled before this was loaded.
  for (const target of [document, ...document.querySelectorAll('main .frame')]) keep(target);
  document.addEventListener('scroll', onScroll, true);
  window.addEventListener('popstate', onBack);
  window.addEventListener('pushState', onLeave);
  window.addEventListener('replaceState', () => void (address = here()));
}

/** Scrolls as soon as the rows are there, unless the person does something before. */
function returnTo(place: Map<string, number> | undefined, href: string | undefined, onEnd: () => void): () => void {
  const until = performance.now() + GIVE_UP_MS;
  let next = 0;
  const end = () => {
    cancelAnimationFrame(next);
    stop();
    onEnd();
  };
  const step = () => {
    const link = href && [...document.querySelectorAll('main a')].find((one) => one.getAttribute('href') === href);
    const isThere = [...(place ?? [])].every(([name, top]) => scroll(name, top));
    if (isThere && link instanceof HTMLElement) link.focus({ preventScroll: true });
    if ((isThere && (link || !href)) || performance.now() > until) end();
    else next = requestAnimationFrame(step);
  };
  const stop = listen(['wheel', 'touchstart', 'pointerdown', 'keydown'], end, true);
  next = requestAnimationFrame(step);
  return end;
}

/** Whether it could be scrolled as far. */
function scroll(name: string, top: number): boolean {
  if (!name) window.scrollTo({ top, behavior: 'instant' });
  const frame = name && [...document.querySelectorAll('main .frame')].find(({ ariaLabel }) => ariaLabel === name);
  if (frame) frame.scrollTop = top;
  return Math.abs((name ? (frame ? frame.scrollTop : -1) : window.scrollY) - top) < 2;
}
