import type { ListTools } from './useListTools';

/** The classes of a table; those of hidden columns hide their cells (screens.css). */
export const tableClass = (base: string, tools: Pick<ListTools<unknown>, 'columns'> | null | undefined): string =>
  [base, ...(tools?.columns.hidden.map((name) => `no-${name}`) ?? [])].join(' ');
