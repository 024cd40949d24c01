import { ImportButton } from '../../parts/ImportButton';
import { useMay } from '../../state/session';
import { Button } from '../../ui/Button';

type Props = {
  query: { search: string; segment: string };
  tenant: number | undefined;
  narrow: (by: { search: string; segment: string }) => void;
  create: () => void;
  reload: () => unknown;
};
/** What to do where no users are found: clear what they are searched by, or make the first ones of a tenant. */
export function NoUsers({ query, tenant, narrow, create, reload }: Props) {
  const maySupport = useMay('support');
  function clear() {
    document.querySelector<HTMLElement>('[role="search"] input')?.focus();
    narrow({ search: '', segment: '' });
  }
  if (query.search || query.segment)
    return <Button onClick={clear}>Clear {query.segment ? 'search and filters' : 'search'}</Button>;
  if (tenant === undefined || !maySupport) return null;
  return (
    <>
      <Button onClick={create}>Create the first one</Button>{' '}
      <ImportButton kind="players" tenantId={tenant} reload={reload} label="Import from a file" />
    </>
  );
}
