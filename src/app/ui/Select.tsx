import type { ComponentProps } from 'react';
import { focusOnMount } from './focusOnMount';

export type Option = string | { value: string | number; label: string };

/**
 * A select with a label, which alone is its accessible name. A first option like `{ value: '', label: 'Select…' }`
 * means that nothing is chosen.
 */
export function Select({
  label,
  options,
  autoFocus = false,
  ...select
}: { label: string; options: readonly Option[] } & ComponentProps<'select'>) {
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
