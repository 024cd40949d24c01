import type { ComponentProps } from 'react';
import { focusOnMount } from './focusOnMount';

export type Option = string | { value: string | number; label: string };

type Props = { label: string; options: readonly Option[] } & ComponentProps<'select'>;
/** A select with a label, which alone is its accessible name. A first option with '' means that none is chosen. */
export function Select({ label, options, autoFocus = false, ...select }: Props) {
  return (
    <div className="field">
      <label>
        {label}
        <select aria-label={label} {...select} {...(autoFocus && { ref: focusOnMount })}>
          {options
            .map((option) => (typeof option === 'string' ? { value: option, label: option } : option))
            .map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
        </select>
      </label>
    </div>
  );
}
