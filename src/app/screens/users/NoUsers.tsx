import { ImportButton } from '../../parts/ImportButton';

type Props = { tenantId: number; onCreate: () => void; reload: () => unknown };
/** What to do about a tenant without any users. */
export function NoUsers({ tenantId, onCreate, reload }: Props) {
  return (
    <>
      <button type="button" onClick={onCreate}>
        Create the first one
      </button>{' '}
      <ImportButton kind="players" tenantId={tenantId} reload={reload} label="Import from a file" />
    </>
  );
}
