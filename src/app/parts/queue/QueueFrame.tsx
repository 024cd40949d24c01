import type { ReactNode } from 'react';
import type { MoneyList } from '../../../contract/constants';
import type { Redeem, Transaction } from '../../../contract/entities';
import { NARROW, useMediaQuery } from '../../hooks/useMediaQuery';
import { useFeature, useMay } from '../../state/session';
import { Pagination } from '../../ui/Pagination';
import { ListBar } from '../table/ListBar';
import { SortSelect } from '../table/SortSelect';
import type { ListTools } from '../table/useListTools';
import { Decisions } from './Decisions';
import type { Decisions as DecisionsOf, Item } from './decision';
import { FilterRow } from './FilterRow';
import { LateHint } from './LateHint';
import type { Queue } from './useQueue';

/**
 * The frame around the table of a work queue: filters, pages, decisions not sent yet, and a line about the keys.
 */
export function QueueFrame<Row extends Item & (Transaction | Redeem)>({
  list,
  queue,
  decisions,
  methods,
  tools,
  listTools,
  children,
}: {
  list: MoneyList;
  queue: Queue<Row>;
  decisions: DecisionsOf<Row>;
  methods: readonly string[];
  /** The buttons of the list, where they stand beside its filters. */
  tools: ReactNode;
  listTools: ListTools<Row> | null;
  children: ReactNode;
}) {
  const { page, limit } = queue.query;
  const hasLogins = useFeature('player_logins') && list !== 'purchases';
  const mayDecide = useMay(list === 'redeems' ? 'payouts' : 'queue');
  const hasKeys = !useMediaQuery(NARROW);
  return (
    <>
      <FilterRow
        list={list}
        address={queue.address}
        methods={methods}
        tools={tools}
        order={listTools && <SortSelect sort={listTools.sort} onSort={listTools.setSort} />}
        onChange={queue.onFilter}
      />
      {queue.problem && (
        <p role="alert" className="why">
          {queue.problem}
        </p>
      )}
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
        <Pagination
          what={list}
          page={page}
          pageSize={limit}
          total={queue.total ?? (queue.rows.data && (page - 1) * limit + queue.rows.data.length)}
          onPage={queue.onPage}
          onPageSize={queue.onPageSize}
        />
      </div>
      <LateHint
        list={list}
        tenantId={queue.query.tenant_id}
        isReady={queue.rows.data !== undefined}
        reload={queue.reload}
      />
      {hasKeys && (
        <p className="bar">
          <small>
            Keys in the table: <kbd>j</kbd> next, <kbd>k</kbd> previous
            {mayDecide && (
              <>
                , <kbd>s</kbd> success, <kbd>f</kbd> failed, <kbd>u</kbd> undo, <kbd>r</kbd> reason
              </>
            )}
            {hasLogins && (
              <>
                , <kbd>l</kbd> look up, <kbd>c</kbd> copy the login, <kbd>o</kbd> open the panel
              </>
            )}
            {mayDecide && decisions.take && (
              <>
                , <kbd>t</kbd> take
              </>
            )}
            .
          </small>
        </p>
      )}
      <Decisions decisions={decisions} />
      {decisions.dialog}
    </>
  );
}
