import { Button } from '../ui/Button';

export interface FilterChip {
  name: string;
  words: string;
  onRemove: () => void;
}

/** The filters that are set, to be removed. What is pressed goes, so the two handlers move the focus. */
export function FilterChips({ chips, onClear }: { chips: readonly FilterChip[]; onClear: () => void }) {
  return (
    <div className="active-filters" role="group" aria-label="Filters that are set">
      {chips.length > 1 && <Button onClick={onClear}>Clear filters</Button>}
      {chips.map(({ name, words, onRemove }) => (
        <button key={name} type="button" className="chip" title="Remove this filter" onClick={onRemove}>
          {words} <span aria-hidden="true">×</span>
        </button>
      ))}
    </div>
  );
}
