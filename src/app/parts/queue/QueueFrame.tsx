import type { ReactNode } from 'react';
import type { MoneyList } from '../../../contract/constants';
import type { Redeem, Transaction } from '../../../contract/entities';
import { FOLDED, NARROW, useMediaQuery } from '../../hooks/useMediaQuery';
import { formatCountOf } from '../../ui/formatCount';
import { Pagination } from '../../ui/Pagination';
import { ExportButton } from '../ExportButton';
import { ImportButton } from '../ImportButton';
import { ListBar } from '../table/ListBar';
import { SortSelect } from '../table/SortSelect';
import type { ListTools } from '../table/useListTools';
import { ActiveFilters } from './ActiveFilters';
import { Decisions } from './Decisions';
import type { Decisions as DecisionsOf, Item } from './decision';
import { FilterRow } from './FilterRow';
import { KeysButton } from './KeysButton';
import { LateHint } from './LateHint';
import { NewRows } from './NewRows';
import type { Queue } from './useQueue';

/**
 * The frame around the table of a work queue: its title and buttons, filters, pages, decisions not sent yet, and what
 * its keys are.
 */
export function QueueFrame<Row extends Item & (Transaction | Redeem)>({
  list,
  tenantId,
  title,
  noun,
  waiting,
  queue,
  decisions,
  methods = [],
  buttons,
  download,
  listTools,
  setting,
  children,
}: {
  list: MoneyList;
  tenantId: number | undefined;
  title: ReactNode;
  /** What a row is. */
  noun: string;
  /** What waits for a second person. */
  waiting?: ReactNode;
  queue: Queue<Row>;
  decisions: DecisionsOf<Row>;
  methods?: readonly string[];
  /** In front of the buttons that every queue has. */
  buttons: ReactNode;
  download: () => Promise<Blob>;
  listTools: ListTools<Row> | null;
  setting?: ReactNode;
  children: ReactNode;
}) {
  const isFolded = useMediaQuery(FOLDED);
  const { page, limit } = queue.query;
  const hasKeys = !useMediaQuery(NARROW);
  const isEmpty = page === 1 && queue.rows.data?.length === 0;
  const tools = (
    <div className="tools">
      {buttons}
      {!queue.problem && <ExportButton name={list} load={download} />}
      <ImportButton kind="transactions" tenantId={tenantId} reload={queue.reload} />
    </div>
  );
  return (
    <>
      <header className="bar">
        {title}
        <span role="status">{queue.total !== undefined && formatCountOf(queue.total, noun)}</span>
        <NewRows list={list} tenantId={tenantId} queue={queue} />
        {waiting}
        {!isFolded && <ActiveFilters address={queue.address} onChange={queue.onFilter} />}
        {!isFolded && tools}
      </header>
      <FilterRow
        list={list}
        address={queue.address}
        methods={methods}
        tools={isFolded && tools}
        order={listTools && <SortSelect sort={listTools.sort} onSort={listTools.setSort} />}
        problem={queue.problem}
        onChange={queue.onFilter}
      />
      {listTools && (
        <ListBar
          tools={listTools}
          decisions={decisions}
          rows={queue.rows.data}
          tenantId={queue.query.tenant_id}
          sums={queue.problem ? undefined : queue.sums}
        />
      )}
      <div className="fill" {...decisions.box}>
        {children}
        {!isEmpty && (
          <Pagination
            what={list}
            page={page}
            pageSize={limit}
            total={queue.total ?? (queue.rows.data && (page - 1) * limit + queue.rows.data.length)}
            onPage={queue.onPage}
            onPageSize={queue.onPageSize}
          />
        )}
      </div>
      <LateHint
        list={list}
        tenantId={queue.query.tenant_id}
        isReady={queue.rows.data !== undefined}
        reload={queue.reload}
      >
        {setting}
        {hasKeys && !isEmpty && <KeysButton list={list} takes={Boolean(decisions.take)} />}
      </LateHint>
      <Decisions decisions={decisions} />
      {decisions.dialog}
    </>
  );
}
