import type { ReactNode } from 'react';
import type { MoneyList } from '../../../contract/constants';
import { useMediaQuery } from '../../hooks/useMediaQuery';
import { Pagination } from '../../ui/Pagination';
import { Decisions, type SubmitOptions } from './Decisions';
import { FilterRow } from './FilterRow';
import type { KeyboardDecisions } from './useKeyboardDecisions';
import type { Queue } from './useQueue';

/** The frame around the table of a work queue: filters, pages, a line about the keys, and decisions not sent yet. */
export function QueueFrame<Row extends { id: number; status: string; user_email: string; amount: number }>({
  list,
  queue,
  keyboard,
  methods,
  children,
  ...submit
}: {
  list: MoneyList;
  queue: Queue<Row>;
  keyboard: KeyboardDecisions<Row>;
  methods: readonly string[];
  children: ReactNode;
} & Omit<SubmitOptions, 'reload'>) {
  const { page, limit } = queue.query;
  const hasKeys = !useMediaQuery('(max-width: 767px)');
  return (
    <>
      <FilterRow list={list} address={queue.address} methods={methods} onChange={queue.onFilter} />
      {queue.problem && (
        <p role="alert" className="why">
          {queue.problem}
        </p>
      )}
      <div {...keyboard.box}>
        {children}
        <Pagination
          what={list}
          page={page}
          pageSize={limit}
          total={queue.total ?? (queue.rows.data && (page - 1) * limit + queue.rows.data.length)}
          onPage={queue.onPage}
          onPageSize={queue.onPageSize}
        />
      </div>
      {hasKeys && (
        <p>
          <small>
            Keys in the table: <kbd>j</kbd> next, <kbd>k</kbd> previous, <kbd>s</kbd> success, <kbd>f</kbd> failed,{' '}
            <kbd>u</kbd> undo within 5 seconds.
          </small>
        </p>
      )}
      <Decisions keyboard={keyboard} reload={queue.reload} {...submit} />
    </>
  );
}
