import type { ComponentProps, ReactNode } from 'react';

/** A check box, or with the role a switch, in front of its label. */
export const CheckBox = ({
  label,
  onChange,
  ...input
}: Omit<ComponentProps<'input'>, 'onChange'> & { label: ReactNode; onChange: (isOn: boolean) => void }) => (
  <label className="check">
    <input type="checkbox" {...input} onChange={({ target }) => onChange(target.checked)} />
    <span>{label}</span>
  </label>
);
