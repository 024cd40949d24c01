import { useId } from 'react';
import { Button } from '../ui/Button';
import { useCopy } from './useCopy';

/** A read-only text, whole, with a Copy button. A click selects all of it, for browsers without a clipboard. */
export function CopyField({ label, value, hint }: { label: string; value: string; hint?: string }) {
  const copy = useCopy();
  const id = useId();
  return (
    <div className="with-copy">
      <div className="field">
        <label htmlFor={id}>{label}</label>
        <textarea
          id={id}
          readOnly
          rows={2}
          value={value}
          spellCheck={false}
          aria-describedby={hint && `${id}h`}
          onFocus={(event) => event.target.select()}
        />
        {hint && <small id={`${id}h`}>{hint}</small>}
      </div>
      <Button aria-label={`Copy ${label}`} onClick={() => copy(label, value)}>
        Copy
      </Button>
    </div>
  );
}
