import { useCopy } from './useCopy';

type Props = { what: string; text: string | number | null | undefined; shortcut?: string };
/** Copies a text; nothing if there is none. `what` names it: 'Reference'. */
export function CopyButton({ what, text, shortcut }: Props) {
  const copy = useCopy();
  if (text == null || text === '') return null;
  const name = `Copy ${what}`;
  return (
    <button
      type="button"
      className="copy"
      aria-label={name}
      aria-keyshortcuts={shortcut}
      title={name}
      onClick={() => copy(what, String(text))}
    />
  );
}
