import { type ReactNode, useState } from 'react';
import { balanceKinds, DATE_MAX, DATE_MIN, type MoneyList, SEARCH_MAX, statuses } from '../../../contract/constants';
import { manualRedeemPlatforms, payoutMethods, platformLabels } from '../../../contract/platforms';
import { FOLDED, useMediaQuery } from '../../hooks/useMediaQuery';
import { useFeature, useOffered } from '../../state/session';
import { Button } from '../../ui/Button';
import { type Option, Select } from '../../ui/Select';
import { statusLabels } from '../../ui/StatusSelect';
import { useZoneNote } from '../../ui/ZoneNote';
import { RestedField } from '../RestedField';
import { RangeSelect } from '../table/RangeSelect';
import { TenantFilter } from '../tenantColumn';
import { useFold } from '../useFold';
import { ActiveFilters } from './ActiveFilters';
import { type FilterName, type QueueAddress, setFilters } from './filters';

const all = { value: '', label: 'All' };
const statusOptions: readonly Option[] = [all, ...statuses.map((value) => ({ value, label: statusLabels[value] }))];
const balances: readonly Option[] = [
  all,
  ...balanceKinds.map((kind) => ({
    value: kind.toUpperCase(),
    label: kind === 'loyalty' ? 'FREE PLAY' : kind.toUpperCase(),
  })),
];

const platforms: readonly Option[] = [
  all,
  ...manualRedeemPlatforms.map((name) => ({ value: name, label: platformLabels[name] })),
];

/**
 * The filters of a list, in labels that no field of its dialogs has. They apply at once, typed ones when typing pauses.
 * On a narrow screen a button beside the search shows the others.
 */
export function FilterRow({
  list,
  address,
  methods,
  tools,
  order,
  problem,
  onChange,
}: {
  list: MoneyList;
  address: QueueAddress;
  /** The payment methods in the list, as suggestions. */
  methods: readonly string[];
  /** On a narrow screen, behind the button for the filters. */
  tools?: ReactNode;
  /** Where the list may have no heads: the field for its order. */
  order?: ReactNode;
  /** Why nothing can be found with them. It marks the fields that it names. */
  problem?: string | undefined;
  onChange: (patch: Partial<Record<FilterName, string>>) => void;
}) {
  const isFolded = useMediaQuery(FOLDED);
  const hasTools = useFeature('list_tools');
  const [isOpen, setOpen] = useState(false);
  const fold = useFold([useOffered('export') && !problem, useOffered('import')].includes(true));
  if (problem && !isOpen) setOpen(true); // and they stay when they are mended
  const search = `Search ${list}`;
  const zone = useZoneNote(Number(address.tenant) || undefined);
  const count = setFilters(address).length;
  const typed = (name: FilterName) => ({
    value: address[name],
    'aria-invalid': new RegExp(`\\b${name}\\b`, 'i').test(problem ?? '') || undefined,
    onValue: (value: string) => onChange({ [name]: value }),
  });
  const chosen = (name: FilterName) => ({
    value: address[name],
    onChange: (event: { target: { value: string } }) => onChange({ [name]: event.target.value }),
  });

  return (
    <form
      className="bar filters"
      role="search"
      aria-label={`Filter ${list}`}
      onSubmit={(event) => event.preventDefault()}
    >
      <RestedField
        label={search}
        placeholder={isFolded ? 'Search' : undefined}
        title={list === 'redeems' ? undefined : 'Email, reference or description'}
        type="search"
        maxLength={SEARCH_MAX}
        {...typed('text')}
      />
      {isFolded && (
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Filters{count > 0 && ` (${count})`}
        </Button>
      )}
      {fold.button}
      {isFolded && <div className={fold.className}>{tools}</div>}
      {(!isFolded || isOpen) && (
        <div className="fields">
          <TenantFilter value={address.tenant} onChange={(tenant) => onChange({ tenant })} />
          <Select label="By status" options={statusOptions} {...chosen('status')} />
          {hasTools && (
            <RangeSelect
              from={address.from}
              to={address.to}
              tenantId={Number(address.tenant) || undefined}
              onChange={onChange}
            />
          )}
          <div className="dates">
            <RestedField label="From" type="date" min={DATE_MIN} max={DATE_MAX} {...zone} {...typed('from')} />
            <RestedField label="To" type="date" min={DATE_MIN} max={DATE_MAX} {...zone} {...typed('to')} />
            <Why problem={problem} isAtDates />
          </div>
          {list !== 'purchases' && <Select label="By platform" options={platforms} {...chosen('platform')} />}
          {list === 'redeems' && (
            <Select label="By payout method" options={[all, ...payoutMethods]} {...chosen('method')} />
          )}
          {list === 'deposits' && <Select label="By deposit type" options={balances} {...chosen('method')} />}
          {list === 'purchases' && (
            <>
              <RestedField label="By payment method" maxLength={100} list="methods" {...typed('method')} />
              <datalist id="methods">
                {methods.map((method) => (
                  <option key={method} value={method} />
                ))}
              </datalist>
            </>
          )}
          <RestedField label="Min" inputMode="decimal" size={5} {...typed('min')} />
          <RestedField label="Max" inputMode="decimal" size={5} {...typed('max')} />
          {isFolded && order}
          <Why problem={problem} />
        </div>
      )}
      {isFolded && <ActiveFilters address={address} onChange={onChange} />}
    </form>
  );
}

/** Why nothing is found: below the dates if it is about them, or else at the end. */
const Why = ({ problem = '', isAtDates = false }) =>
  problem !== '' &&
  /\bFrom\b|dates/.test(problem) === isAtDates && (
    <p role="alert" className="why">
      {problem}
    </p>
  );
