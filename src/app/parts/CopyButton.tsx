import { useCopy } from './useCopy';

/** Copies a text; nothing if there is none. `what` names it: 'Reference'. */
export function CopyButton({ what, text }: { what: string; text: string | number | null | undefined }) {
  const copy = useCopy();
  if (text == null || text === '') return null;
  return (
    <button type="button" className="chip" aria-label={`Copy ${what}`} onClick={() => copy(what, String(text))}>
      Copy
    </button>
  );
}
