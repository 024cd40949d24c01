import type { DateRange } from '../../../contract/dates';
import type { Affiliate } from '../../../contract/entities';
import { AFFILIATES_MAX, type AffiliateSort, affiliateSorts } from '../../../contract/search';
import { toAmount } from '../../api/amount';
import { orDash } from '../../api/parse';
import { useDebounced } from '../../hooks/useDebounced';
import { detailOr } from '../../hooks/useErrorToast';
import { useQueryParams } from '../../hooks/useQueryParams';
import { useResource } from '../../hooks/useResource';
import { useApi } from '../../state/session';
import { Field } from '../../ui/Field';
import { formatCount } from '../../ui/formatCount';
import { formatDay } from '../../ui/formatDay';
import { Money } from '../../ui/Money';
import { Rows } from '../../ui/Rows';
import { nextSort, type Sort, SortableTh } from '../../ui/SortableTh';
import { TableFrame } from '../../ui/TableFrame';

const columns: readonly [AffiliateSort, string][] = [
  ['affiliate_id', 'Affiliate'],
  ['players', 'Players'],
  ['purchases', 'Purchases'],
  ['redeems', 'Redeems'],
  ['ggr', 'GGR'],
];
const formatKnown = (value: unknown) => {
  const known = toAmount(value);
  return known === null ? '-' : formatCount(known);
};

/**
 * Every affiliate with players or money in the range, and the total of all. It reloads when the range changes. With
 * `problem` the range is invalid and nothing is loaded. Sort and filter are in the address.
 */
export function AffiliateList({
  range,
  problem,
  tenantId,
  onChoose,
}: {
  range: DateRange;
  problem: string | undefined;
  tenantId: number | undefined;
  onChoose: (affiliateId: string) => void;
}) {
  const api = useApi();
  const [address, setAddress] = useQueryParams({ sort: 'ggr', order: 'desc', text: '', affiliate: '' });
  const sort: Sort<AffiliateSort> = {
    field: affiliateSorts.find((known) => known === address.sort) ?? 'ggr',
    order: address.order === 'asc' ? 'asc' : 'desc',
  };
  const { start_date, end_date } = range,
    text = address.text.trim().slice(0, 100);
  const requestKey = useDebounced(JSON.stringify({ start_date, end_date, text, problem }));
  const { problem: refused, ...wanted }: DateRange & { text: string; problem?: string } = JSON.parse(requestKey);
  const sorted = { sort_by: sort.field, sort_order: sort.order };
  const list = useResource(
    refused
      ? null
      : async (signal) => ({
          request: requestKey,
          days: wanted,
          answer: await api.getAffiliates({ ...wanted, ...sorted, tenant_id: tenantId }, { signal }),
        }),
    [api, requestKey, sort.field, sort.order, tenantId],
    detailOr('Failed to fetch affiliates'),
  );
  // The previous answer is shown while the next one loads, which it does from the moment it is wanted.
  const isAnswered = list.data?.request === requestKey,
    busy = list.busy || !(refused || isAnswered || list.failed);
  const shown = busy || isAnswered ? list.data?.answer : undefined;
  const rows = Array.isArray(shown?.affiliates) ? shown.affiliates : shown && [],
    total = shown?.total;
  const days = shown && list.data ? list.data.days : range;
  const isCut = rows !== undefined && total !== undefined && total.affiliates > rows.length;

  return (
    <section style={{ marginTop: '1.25rem' }}>
      <div className="bar">
        <h3 style={{ margin: 0 }}>
          Affiliates{problem ? '' : `, ${formatDay(days.start_date)} to ${formatDay(days.end_date)}`}
        </h3>
        <Field
          label="Filter affiliates"
          type="search"
          maxLength={100}
          autoComplete="off"
          value={address.text}
          onChange={({ target }) => setAddress({ text: target.value }, { replace: true })}
        />
        <span role="status">
          {isCut &&
            `The first ${formatCount(Math.min(rows.length, AFFILIATES_MAX))} of ${formatKnown(total.affiliates)}; ` +
              'the total includes all.'}
        </span>
      </div>
      <TableFrame label="Affiliates">
        <table className="stack">
          <thead>
            <tr>
              {columns.map(([field, name]) => (
                <SortableTh
                  key={field}
                  field={field}
                  sort={sort}
                  className={field === 'affiliate_id' ? '' : 'number'}
                  onSort={(field) => {
                    const next = nextSort(sort, field);
                    setAddress({ sort: next.field, order: next.order });
                  }}
                >
                  {name}
                </SortableTh>
              ))}
            </tr>
          </thead>
          <Rows
            of={{ ...list, busy, data: rows }}
            span={columns.length}
            empty={refused ?? (wanted.text ? 'No affiliate matches.' : 'No affiliate activity in this range.')}
          >
            {(affiliate: Affiliate) => (
              <tr key={affiliate.affiliate_id}>
                <td className="head">
                  <button
                    className="link"
                    aria-current={affiliate.affiliate_id === address.affiliate || undefined}
                    title="Show its figures above"
                    onClick={() => onChoose(affiliate.affiliate_id)}
                  >
                    {orDash(affiliate.affiliate_id)}
                  </button>
                </td>
                <Figures figures={affiliate} />
              </tr>
            )}
          </Rows>
          {rows && rows.length > 0 && total && (
            <tfoot>
              <tr>
                <th scope="row">Total of {formatKnown(total.affiliates)}</th>
                <Figures figures={total} />
              </tr>
            </tfoot>
          )}
        </table>
      </TableFrame>
    </section>
  );
}

const Figures = ({ figures }: { figures: Omit<Affiliate, 'affiliate_id'> }) => (
  <>
    <td className="number" data-label="Players">
      {formatKnown(figures.players)}
    </td>
    <td className="number" data-label="Purchases">
      <Money amount={figures.purchases} />
    </td>
    <td className="number" data-label="Redeems">
      <Money amount={figures.redeems} />
    </td>
    <td className="number" data-label="GGR">
      <Money amount={figures.ggr} signed />
    </td>
  </>
);
