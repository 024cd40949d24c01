import { pageSizes, QUEUE_PAGE, SEARCH_MAX, statuses } from '../../../contract/constants';
import type { ListFilter, ListQuery } from '../../../contract/entities';
import { isDay } from '../../../contract/isDay';
import { listParts } from '../../../contract/overview';
import { ownOrder, parseSort, toSortQuery } from '../table/moneySort';

/** The filters of a list as they are when none is set. */
export const noFilters = {
  tenant: '',
  status: '',
  from: '',
  to: '',
  platform: '',
  method: '',
  min: '',
  max: '',
  text: '',
  approval: '',
  settled_from: '',
  settled_to: '',
  part: '',
  key: '',
};
/** The filters, the order and the page of a list as query parameters: the defaults, which the address leaves out. */
export const queueAddress = { ...noFilters, sort: '', order: 'asc', page: '1', size: String(QUEUE_PAGE) };
export type QueueAddress = Record<keyof typeof queueAddress, string>;
export type FilterName = keyof typeof noFilters;
export const filterNames = Object.keys(noFilters) as readonly FilterName[];

const isAmount = (text: string) => /^\d{1,11}(\.\d{1,2})?$/.test(text);

/** What is wrong with the filters; undefined if nothing is. An invalid filter is never ignored. */
export function findFilterProblem(address: QueueAddress): string | undefined {
  const { tenant, status, from, to, min, max, settled_from, settled_to, part, approval } = address;
  if (tenant && !/^\d{1,15}$/.test(tenant)) return 'This tenant does not exist.';
  if (status && !statuses.some((one) => one === status)) return 'This status does not exist.';
  if (approval && approval !== 'waiting') return 'This state of approval does not exist.';
  if (part && !listParts.some((one) => one === part)) return 'This part does not exist.';
  if ([from, to, settled_from, settled_to].some((day) => day && !isDay(day))) return 'Enter dates as YYYY-MM-DD.';
  if ([min, max].some((amount) => amount && !isAmount(amount)))
    return 'Enter amounts in dollars with at most 2 decimals.';
  if (from && to && from > to) return 'From is after To.';
  if (settled_from && settled_to && settled_from > settled_to) return 'Settled from is after Settled to.';
  if (min && max && Number(min) > Number(max)) return 'Min is above Max.';
  return undefined;
}

/** Of an address of the overview: what one bar stands for. A list without them sends none of these names. */
const parsePart = ({ settled_from, settled_to, part, key }: QueueAddress): ListFilter => ({
  ...(settled_from && { settled_from }),
  ...(settled_to && { settled_to }),
  ...(part && { part: listParts.find((one) => one === part), key }),
});
const parseFilter = ({ status, from, to, platform, method, min, max, text, approval }: QueueAddress): ListFilter => ({
  status: statuses.find((one) => one === status),
  from_date: from,
  to_date: to,
  platform: platform.trim().slice(0, 100),
  method: method.trim().slice(0, 100),
  min_amount: min,
  max_amount: max,
  text: text.trim().slice(0, SEARCH_MAX),
  ...(approval && { approval: 'waiting' }),
});

/** The query of the list, of its count and of its export. */
export function parseQueueQuery(
  address: QueueAddress,
  tenantId: number | undefined,
  { isSortable = false }: { isSortable?: boolean } = {},
): ListQuery & { page: number; limit: number } {
  return {
    tenant_id: tenantId ?? (address.tenant ? Number(address.tenant) : undefined),
    ...parseFilter(address),
    ...parsePart(address),
    ...toSortQuery(isSortable ? parseSort(address) : ownOrder),
    page: /^[1-9]\d{0,4}$/.test(address.page) ? Number(address.page) : 1,
    limit: pageSizes.find((known) => String(known) === address.size) ?? QUEUE_PAGE,
  };
}

export const isFiltered = (address: QueueAddress): boolean => filterNames.some((name) => address[name] !== '');

/** Those that are set. The key belongs to the part, and the two days of settlement are one span: each pair is one. */
export const setFilters = (address: QueueAddress): FilterName[] =>
  filterNames.filter(
    (name) => address[name] !== '' && name !== 'key' && !(name === 'settled_to' && address.settled_from),
  );
