import { Button } from '../ui/Button';

export interface FilterChip {
  name: string;
  words: string;
  onRemove: () => void;
}

/** The filters that are set, each to be removed with a click, and 'Clear filters'. */
export function FilterChips({ chips, onClear }: { chips: readonly FilterChip[]; onClear: () => void }) {
  function change(remove: () => void) {
    remove();
    // The button that was pressed is gone.
    document.querySelector<HTMLElement>('.filters input, .filters button')?.focus();
  }
  return (
    <div className="active-filters" role="group" aria-label="Filters that are set">
      {chips.length > 0 && <Button onClick={() => change(onClear)}>Clear filters</Button>}
      {chips.map(({ name, words, onRemove }) => (
        <button key={name} type="button" className="chip" title="Remove this filter" onClick={() => change(onRemove)}>
          {words} <span aria-hidden="true">×</span>
        </button>
      ))}
    </div>
  );
}
