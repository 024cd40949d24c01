import { Button } from '../ui/Button';
import { Field } from '../ui/Field';
import { useCopy } from './useCopy';

/** A read-only text with a Copy button. A click into the field selects all of it, for browsers without a clipboard. */
export function CopyField({ label, value, hint }: { label: string; value: string; hint?: string }) {
  const copy = useCopy();
  return (
    <div className="with-copy">
      <Field
        label={label}
        readOnly
        value={value}
        spellCheck={false}
        {...(hint && { hint })}
        onFocus={(event) => event.target.select()}
      />
      <Button aria-label={`Copy ${label}`} onClick={() => copy(label, value)}>
        Copy
      </Button>
    </div>
  );
}
