import { useToast } from '../state/toasts';
import { Field } from '../ui/Field';

/** Throws where there is no clipboard: browsers offer it over TLS and on localhost only. */
const copy = async (text: string): Promise<void> => navigator.clipboard.writeText(text);

/** A read-only text with a Copy button. A click into the field selects all of it, for browsers without a clipboard. */
export function CopyField({ label, value, hint }: { label: string; value: string; hint?: string }) {
  const toast = useToast();
  return (
    <>
      <Field
        label={label}
        readOnly
        value={value}
        spellCheck={false}
        {...(hint && { hint })}
        onFocus={(event) => event.target.select()}
      />
      <p>
        <button
          type="button"
          className="secondary"
          aria-label={`Copy ${label}`}
          onClick={() =>
            copy(value).then(
              () => toast.success(`${label} copied`),
              () => toast.error(`${label} could not be copied`),
            )
          }
        >
          Copy
        </button>
      </p>
    </>
  );
}
