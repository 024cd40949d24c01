import { Fragment, type MouseEventHandler, type ReactElement, type ReactNode } from 'react';
import { type Listed, Rows } from './Rows';
import { TableFrame } from './TableFrame';

/** The words at the head of a column, with the class of its cells; or a head of another kind. */
export type Head = string | readonly [words: string, className: string] | ReactElement;

/** A table of records in its frame: the heads of its columns, and a row for each record. */
export function DataTable<T>({
  label,
  className = 'stack',
  heads,
  onClick,
  ...rows
}: {
  /** The name of the table. */
  label: string;
  className?: string;
  /** A column that is not shown is false. */
  heads: readonly (Head | false)[];
  onClick?: MouseEventHandler;
  of: Listed<T>;
  empty?: ReactNode;
  /** Makes the row of a record. */
  children: (record: T) => ReactNode;
}) {
  const shown = heads.filter((head) => head !== false);
  return (
    <TableFrame label={label}>
      <table className={className} onClick={onClick}>
        <thead>
          <tr>
            {shown.map((head, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move
              <Fragment key={at}>{toCell(head)}</Fragment>
            ))}
          </tr>
        </thead>
        <Rows span={shown.length} {...rows} />
      </table>
    </TableFrame>
  );
}

function toCell(head: Head): ReactElement {
  if (typeof head === 'string') return <th>{head}</th>;
  return 'type' in head ? head : <th className={head[1]}>{head[0]}</th>;
}
