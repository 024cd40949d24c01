import { useCopy } from './useCopy';

/** Copies a text; nothing if there is none. `what` names it: 'Reference'. */
export function CopyButton({ what, text }: { what: string; text: string | number | null | undefined }) {
  const copy = useCopy();
  if (text == null || text === '') return null;
  const name = `Copy ${what}`;
  return (
    <button type="button" className="copy" aria-label={name} title={name} onClick={() => copy(what, String(text))} />
  );
}
