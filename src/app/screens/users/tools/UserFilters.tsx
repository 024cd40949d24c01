import { useState } from 'react';
import { createPortal } from 'react-dom';
import { DATE_MAX, DATE_MIN } from '../../../../contract/constants';
import { formatSegment, noSegment, parseSegment, type Segment } from '../../../../contract/segment';
import { FilterChips } from '../../../parts/FilterChips';
import { RestedField } from '../../../parts/RestedField';
import { Button } from '../../../ui/Button';
import { formatDay } from '../../../ui/formatDay';
import { usd } from '../../../ui/Money';
import { Select } from '../../../ui/Select';
import { useZoneNote } from '../../../ui/ZoneNote';

const payouts = [
  { value: '', label: 'All' },
  { value: 'held', label: 'On hold' },
];

type Props = { segment: string; tenantId: number | undefined; onSegment: (segment: string) => void };
/** 'Filters': the selection in the address as fields, and as chips while it is set. */
export function UserFilters({ segment, tenantId, onSegment }: Props) {
  const [button, setButton] = useState<HTMLElement | null>(null);
  const [isOpen, setOpen] = useState(false);
  // What is typed and not right yet: it is shown, and stays out of the address.
  const [draft, setDraft] = useState<{ of: string; typed: Partial<Segment> }>({ of: segment, typed: {} });
  const day = { type: 'date', min: DATE_MIN, max: DATE_MAX, ...useZoneNote(tenantId) };
  const { problem: unknown, ...found } = parseSegment(segment);
  const shown = { ...found, ...(draft.of === segment && draft.typed) };
  const problem = parseSegment(formatSegment(shown)).problem ?? unknown;

  function change(patch: Partial<Segment>) {
    const next = { ...shown, ...patch },
      text = formatSegment(next);
    if (parseSegment(text).problem) return setDraft({ of: segment, typed: next });
    setDraft({ of: text, typed: {} });
    onSegment(text);
  }
  const typed = (name: 'bought_from' | 'bought_to' | 'ggr_from' | 'ggr_to' | 'affiliate') => ({
    value: shown[name],
    onValue: (value: string) => change({ [name]: value.trim() }),
  });
  /** The chip or button that was pressed is gone then. */
  function remove(patch: Partial<Segment>) {
    button?.focus();
    change(patch);
  }
  const clear = () => remove(noSegment);
  const chips = toChips(found, remove);
  const header = button?.closest('header');
  return (
    <>
      <Button ref={setButton} className="secondary keep" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Filters{chips.length > 0 && ` (${chips.length})`}
      </Button>
      {header &&
        createPortal(
          <>
            {(isOpen || chips.length > 0) && (
              <form className="bar filters" aria-label="Filter users" onSubmit={(event) => event.preventDefault()}>
                {isOpen && (
                  <>
                    <RestedField
                      label="Tags"
                      title="Separate tags with commas"
                      value={shown.tags.join(', ')}
                      onValue={(value) => change({ tags: value.split(',').flatMap((tag) => tag.trim() || []) })}
                    />
                    <RestedField label="Last purchase from" {...day} {...typed('bought_from')} />
                    <RestedField label="Last purchase to" {...day} {...typed('bought_to')} />
                    <RestedField label="GGR from" inputMode="decimal" size={7} {...typed('ggr_from')} />
                    <RestedField label="GGR to" inputMode="decimal" size={7} {...typed('ggr_to')} />
                    <RestedField label="Affiliate ID" size={9} {...typed('affiliate')} />
                    <Select
                      label="Payouts"
                      options={payouts}
                      value={shown.is_held ? 'held' : ''}
                      onChange={({ target }) => change({ is_held: target.value === 'held' })}
                    />
                  </>
                )}
                {chips.length > 0 && !isOpen && <FilterChips chips={chips} onClear={clear} />}
                {chips.length > 0 && isOpen && <Button onClick={clear}>Clear filters</Button>}
              </form>
            )}
            {problem && (
              <p role="alert" className="why">
                {problem}
              </p>
            )}
          </>,
          header,
        )}
    </>
  );
}

const nameRange = (from: string, to: string) => (from && to ? `${from} – ${to}` : from ? `from ${from}` : `to ${to}`);
const orBlank = (text: string, format: (text: string) => string) => text && format(text);

function toChips(found: Segment, change: (patch: Partial<Segment>) => void) {
  const { tags, bought_from, bought_to, ggr_from, ggr_to, affiliate, is_held } = found;
  const chip = (name: string, words: string, patch: Partial<Segment>) => ({
    name,
    words,
    onRemove: () => change(patch),
  });
  const days = nameRange(orBlank(bought_from, formatDay), orBlank(bought_to, formatDay));
  const ggr = nameRange(orBlank(ggr_from, usd), orBlank(ggr_to, usd));
  return [
    ...tags.map((tag) => chip(`tag ${tag}`, `Tag: ${tag}`, { tags: tags.filter((one) => one !== tag) })),
    ...(bought_from || bought_to ? [chip('bought', `Last purchase: ${days}`, { bought_from: '', bought_to: '' })] : []),
    ...(ggr_from || ggr_to ? [chip('ggr', `GGR: ${ggr}`, { ggr_from: '', ggr_to: '' })] : []),
    ...(affiliate ? [chip('affiliate', `Affiliate: ${affiliate}`, { affiliate: '' })] : []),
    ...(is_held ? [chip('hold', 'Payouts on hold', { is_held: false })] : []),
  ];
}
