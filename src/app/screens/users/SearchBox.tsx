import { SEARCH_MAX } from '../../../contract/constants';
import { useDebouncedInput } from '../../hooks/useDebouncedInput';
import { Field } from '../../ui/Field';

const LABEL = 'Search by email, name, or phone';

/** Searches when typing pauses, or at once on Enter. Follows the address when it changes elsewhere. */
export function SearchBox({ search, onSearch }: { search: string; onSearch: (search: string) => void }) {
  const [typed, setTyped] = useDebouncedInput(search, onSearch);
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(typed);
      }}
    >
      <Field
        label={LABEL}
        type="search"
        placeholder={LABEL}
        maxLength={SEARCH_MAX}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </form>
  );
}
