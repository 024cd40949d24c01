/** A list's part of the address, as a view keeps it. */
import type { SavedList } from '../../../contract/constants';
import { usersAddress } from '../../start/usersQuery';
import { queueAddress } from '../queue/filters';
import { columnsAddress, formatHidden } from '../table/columns';
import { findRange, ranges } from '../table/ranges';

const listNames = (list: SavedList): string[] =>
  Object.keys({ ...(list === 'users' ? usersAddress : queueAddress), ...columnsAddress });
/** Days that move with the calendar: 'today' of a view is the day on which it is opened. */
const RANGE = 'range';

/** What a list shows, without the page, as the query of a view. The columns are said in full. */
export function readView(list: SavedList, search: string, hidden: readonly string[], today: string): string {
  const given = new URLSearchParams(search),
    view = new URLSearchParams();
  const range = findRange({ from: given.get('from') ?? '', to: given.get('to') ?? '' }, today);
  for (const name of listNames(list)) {
    const value = name === 'hide' ? formatHidden(hidden, { isFull: true }) : (given.get(name) ?? '');
    if (value && name !== 'page' && !(range && (name === 'from' || name === 'to'))) view.set(name, value);
  }
  if (range) view.set(RANGE, range);
  return view.toString();
}

/** The address with a view in place of what the list shows. Whatever does not belong to the list stays. */
export function applyView(list: SavedList, search: string, query: string, today: string): string {
  const next = new URLSearchParams(search),
    view = new URLSearchParams(query);
  const days = ranges.find(({ name }) => name === view.get(RANGE))?.get(today);
  for (const name of listNames(list)) {
    const value = days && (name === 'from' || name === 'to') ? days[name] : view.get(name);
    if (value && name !== 'page') next.set(name, value);
    else next.delete(name);
  }
  const text = next.toString();
  return text && `?${text}`;
}
