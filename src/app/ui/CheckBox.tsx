import type { ComponentProps, ReactNode } from 'react';

type Props = Omit<ComponentProps<'input'>, 'onChange'> & { label: ReactNode; onChange: (isOn: boolean) => void };
/** A check box, or with the role a switch, in front of its label. */
export const CheckBox = ({ label, onChange, ...input }: Props) => (
  <label className="check">
    <input type="checkbox" {...input} onChange={({ target }) => onChange(target.checked)} />
    <span>{label}</span>
  </label>
);
