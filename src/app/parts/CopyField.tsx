import { useToast } from '../state/toasts';
import { Field } from '../ui/Field';

/** Browsers hand out the clipboard over TLS and on localhost only. */
const copy = async (text: string): Promise<void> => navigator.clipboard.writeText(text);

/** A text to take away as it stands. Where the browser keeps its clipboard to itself, the field selects it as a whole. */
export function CopyField({ label, value, hint }: { label: string; value: string; hint?: string }) {
  const toast = useToast();
  return (
    <>
      <Field label={label} readOnly value={value} spellCheck={false} {...(hint && { hint })} onFocus={(event) => event.target.select()} />
      <p><button type="button" className="secondary" aria-label={`Copy ${label}`}
        onClick={() => copy(value).then(() => toast.success(`${label} copied`), () => toast.error(`${label} could not be copied`))}>Copy</button></p>
    </>
  );
}
