import { useEffect, useRef } from 'react';
import { SEARCH_MAX } from '../../../contract/constants';
import { useDebouncedInput } from '../../hooks/useDebouncedInput';
import { Field } from '../../ui/Field';

/** Asks once the typing pauses, or at once on Enter. Follows the address when that changes by other means. */
export function SearchBox({ search, onSearch }: { search: string; onSearch: (search: string) => void }) {
  const [typed, setTyped] = useDebouncedInput(search, onSearch);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const standing = form.current?.querySelector('input')?.value; // typed into the page before the app had taken it over
    if (standing) setTyped(standing);
  }, []);

  return (
    <form ref={form} role="search" onSubmit={(event) => { event.preventDefault(); onSearch(typed); }}>
      <Field label="Search by email, name, or phone" type="search" maxLength={SEARCH_MAX} value={typed} onChange={(event) => setTyped(event.target.value)} />
    </form>
  );
}
