import type { ComponentProps } from 'react';
import { focusOnMount } from './focusOnMount';

export type Option = string | { value: string | number; label: string };

/** A labelled select, named by its label without the options within. A first option such as `{ value: '', label: 'Select…' }` stands for nothing chosen. */
export function Select({ label, options, autoFocus = false, ...select }: { label: string; options: readonly Option[] } & ComponentProps<'select'>) {
  return (
    <div className="field">
      <label>{label}
        <select aria-label={label} {...select} {...(autoFocus && { ref: focusOnMount })}>
          {options.map((option) => (typeof option === 'string'
            ? <option key={option} value={option}>{option}</option>
            : <option key={option.value} value={option.value}>{option.label}</option>))}
        </select>
      </label>
    </div>
  );
}
