import type { ReactNode } from 'react';

export type Line = readonly [name: string, value: ReactNode];

const isEmpty = (value: ReactNode): boolean => value == null || value === false || value === '' || value === '-';

/** Facts, one below the other. What is empty is left out. */
export const Lines = ({ lines }: { lines: readonly Line[] }) =>
  lines
    .filter(([, value]) => !isEmpty(value))
    .map(([name, value]) => (
      <tr key={name}>
        <th scope="row">{name}</th>
        <td>{value}</td>
      </tr>
    ));
