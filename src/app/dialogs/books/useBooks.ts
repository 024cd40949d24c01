import { useEffect } from 'react';
import type { Books } from '../../../contract/entities';
import { useCall } from '../../hooks/useCall';
import type { Resource } from '../../hooks/useResource';
import { useDialogApi } from '../../state/useDialogApi';

/** While a check runs, its progress is asked for this often. */
const CHECKING_MS = 1500;

/** The state of the books of a tenant, or of all; asked for again while a check runs. */
export function useBooks(tenantId: number | undefined): Resource<Books> {
  const api = useDialogApi();
  const books = useCall(api.getBooks, { tenant_id: tenantId }, 'Failed to fetch the books');
  const { data, reload } = books;
  useEffect(() => {
    if (!data?.is_checking) return;
    const timer = setTimeout(() => void reload(), CHECKING_MS);
    return () => clearTimeout(timer);
  }, [data, reload]);
  return books;
}
