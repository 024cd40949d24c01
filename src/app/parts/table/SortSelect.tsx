import { Select } from '../../ui/Select';
import { type ListSort, parseSort } from './moneySort';

const options = [
  { value: '', label: 'Pending first' },
  { value: 'amount asc', label: 'Lowest amount' },
  { value: 'amount desc', label: 'Highest amount' },
  { value: 'initiated_at asc', label: 'Oldest' },
  { value: 'initiated_at desc', label: 'Newest' },
  { value: 'player asc', label: 'Email, A to Z' },
  { value: 'player desc', label: 'Email, Z to A' },
];

/** The order of a list whose rows are cards, without heads to click. */
export const SortSelect = ({ sort, onSort }: { sort: ListSort; onSort: (sort: ListSort) => void }) => (
  <Select
    label="Sort by"
    options={options}
    value={sort.field && `${sort.field} ${sort.order}`}
    onChange={({ target }) => {
      const [field = '', order = ''] = target.value.split(' ');
      onSort(parseSort({ sort: field, order }));
    }}
  />
);
