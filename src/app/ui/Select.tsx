import type { ComponentProps } from 'react';
import { focusOnMount } from './focusOnMount';

export type Option = string | { value: string | number; label: string };

type Props = { label: string; options: readonly Option[]; note?: string } & ComponentProps<'select'>;
/** A select; its label alone is its accessible name. A first option with '' means none. `note` is as in Field. */
export function Select({ label, options, note, autoFocus = false, ...select }: Props) {
  return (
    <div className="field">
      <label>
        {label}
        {note && <small aria-hidden="true"> ({note})</small>}
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
