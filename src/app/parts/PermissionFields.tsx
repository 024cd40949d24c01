import { type Permission, permissionLabels, permissionPresets, permissions } from '../../contract/permissions';
import { CheckBox } from '../ui/CheckBox';
import { Select } from '../ui/Select';

const descriptions: Record<Permission, string> = {
  support: 'create and edit players, notes, tags and platform logins',
  queue: 'settle purchases, deposits and returns',
  payouts: 'settle redeems, make them by hand, hold payouts',
  money: 'edit balances',
  export: 'download lists as CSV files',
  import: 'import players and transactions',
  settings: "the tenant's platforms and API keys",
  team: 'add and change colleagues: for one or two people',
};

/** A form keeps the chosen permissions as one text. */
export const toText = (chosen: readonly Permission[]): string => chosen.join(' ');
export const fromText = (text: string): Permission[] => permissions.filter((one) => text.split(' ').includes(one));

const presetOf = (chosen: readonly Permission[]): string =>
  Object.entries(permissionPresets).find(([, preset]) => toText(preset) === toText(chosen))?.[0] ?? '';

/** In one phrase: the name of the preset, or the permissions; of nearly all, the one that is left out. */
export function describePermissions(chosen: readonly Permission[] | null | undefined): string {
  if (!chosen) return 'Everything';
  if (!chosen.length) return 'View only';
  const missing = permissions.filter((one) => !chosen.includes(one));
  if (missing.length < 2) return ['All permissions', ...missing.map((one) => permissionLabels[one])].join(' but ');
  return presetOf(chosen) || chosen.map((one) => permissionLabels[one]).join(', ');
}

interface Props {
  value: string;
  onChange: (event: { target: { value: string } }) => void;
  offered?: readonly Permission[];
}
/** What a person may do besides looking: a preset for a job, or each permission in `offered` by itself. */
export function PermissionFields({ value, onChange, offered = permissions }: Props) {
  const chosen = fromText(value);
  const choose = (next: readonly Permission[]) => onChange({ target: { value: toText(next) } });
  const presets = Object.entries(permissionPresets).filter(([, preset]) =>
    preset.every((one) => offered.includes(one)),
  );
  return (
    <fieldset>
      <legend>Permissions</legend>
      <Select
        label="Job"
        value={chosen.length ? presetOf(chosen) : 'none'}
        onChange={({ target }) => {
          const preset = permissionPresets[target.value];
          if (preset) choose(preset);
          else if (target.value === 'none') choose([]);
        }}
        options={[
          { value: 'none', label: 'View only' },
          ...presets.map(([name]) => name),
          { value: '', label: 'Chosen below' },
        ]}
      />
      {permissions.map((one) => (
        <CheckBox
          key={one}
          label={
            <span>
              {permissionLabels[one]} <small>{descriptions[one]}</small>
            </span>
          }
          checked={chosen.includes(one)}
          disabled={!offered.includes(one)}
          onChange={(isOn) => choose(permissions.filter((other) => (other === one ? isOn : chosen.includes(other))))}
        />
      ))}
    </fieldset>
  );
}
