/** In a row of parts that is wider than the window, the open one is in sight. The dialog is shown a moment later. */
const showPart = (part: HTMLElement | null) => {
  const row = part?.parentElement;
  if (!part || !row) return;
  requestAnimationFrame(() => {
    row.scrollLeft = part.offsetLeft - row.offsetLeft - (row.clientWidth - part.clientWidth) / 2;
  });
};

interface Props<T> {
  label: string;
  parts: readonly T[];
  open: T;
  onOpen: (part: T) => void;
}
/** The parts of a dialog, one of which is open. */
export const PartTabs = <T extends string>({ label, parts, open, onOpen }: Props<T>) => (
  <nav aria-label={label}>
    <ul className="parts">
      {parts.map((one) => (
        <li key={one} ref={one === open ? showPart : null}>
          <button type="button" aria-pressed={one === open} onClick={() => onOpen(one)}>
            {one}
          </button>
        </li>
      ))}
    </ul>
  </nav>
);
