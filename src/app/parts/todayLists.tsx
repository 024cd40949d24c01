import { type MouseEvent, useState } from 'react';
import type { FirstPurchase, PlayerToday } from '../../contract/entities';
import { orDash } from '../api/parse';
import { useResource } from '../hooks/useResource';
import { useApi } from '../state/session';
import { Button } from '../ui/Button';
import { DataTable } from '../ui/DataTable';
import { DateTime } from '../ui/DateTime';
import { Dialog } from '../ui/Dialog';
import { EmailLink } from '../ui/EmailLink';
import { Money } from '../ui/Money';
import { ZoneNote } from '../ui/ZoneNote';
import { TenantCell, TenantFilter, TenantHeader } from './tenantColumn';

interface ListProps {
  tenantId: number | undefined;
  onClose: () => void;
}
const fullName = (person: { first_name?: string | null; last_name?: string | null } | null | undefined): string =>
  [person?.first_name, person?.last_name].filter(Boolean).join(' ');
const orNotAvailable = (value: unknown): string => (orDash(value) === '-' ? 'N/A' : orDash(value));
/** Closes the dialog when a link in it is clicked. */
const leaving =
  (onClose: () => void) =>
  ({ target }: MouseEvent) => {
    if (target instanceof Element && target.closest('a')) onClose();
  };

/** A filter by tenant over rows that are all here, for a list of all tenants. */
function useTenantFilter() {
  const [chosen, setChosen] = useState('');
  return {
    filter: (
      <div className="bar">
        <TenantFilter value={chosen} onChange={setChosen} />
        <ZoneNote tenantId={Number(chosen) || undefined} />
      </div>
    ),
    only: <Row extends { tenant_id?: number }>(rows: Row[] | undefined) =>
      rows?.filter(({ tenant_id }) => !chosen || tenant_id === Number(chosen)),
  };
}

/** The players who signed up today. Errors are only logged (docs/product.md, "Messages"). */
export function NewPlayers({ tenantId, onClose }: ListProps) {
  const api = useApi();
  const byTenant = useTenantFilter();
  const players = useResource(
    (signal) => api.listNewPlayersToday({ tenant_id: tenantId }, { signal }),
    [api, tenantId],
    null,
  );
  return (
    <Dialog title="New Players Today" wide onClose={onClose}>
      {byTenant.filter}
      <DataTable
        label="New Players Today"
        className=""
        onClick={leaving(onClose)}
        heads={['Name', 'Email', <TenantHeader />, 'Phone', 'Affiliate ID', 'Sign Up Time']}
        of={{ ...players, data: byTenant.only(players.data) }}
        empty="No new players today"
      >
        {(player: PlayerToday) => (
          <tr key={player.id}>
            <td>
              <bdi>{orDash(fullName(player))}</bdi>
            </td>
            <td>
              <EmailLink email={player.email} playerId={player.id} />
            </td>
            <TenantCell id={player.tenant_id} />
            <td>{orNotAvailable(player.phone_number)}</td>
            <td>{orNotAvailable(player.affiliate_id)}</td>
            <td>
              <DateTime at={player.created_at} tenantId={player.tenant_id} />
            </td>
          </tr>
        )}
      </DataTable>
      <footer>
        <Button onClick={onClose}>Close</Button>
      </footer>
    </Dialog>
  );
}

/**
 * The players with a first purchase today. Here the status comes in capitals; SUCCESS is highlighted. Errors are only
 * logged (docs/product.md, "Messages").
 */
export function FirstPurchases({ tenantId, onClose }: ListProps) {
  const api = useApi();
  const byTenant = useTenantFilter();
  const purchases = useResource(
    (signal) => api.listFirstPurchasesToday({ tenant_id: tenantId }, { signal }),
    [api, tenantId],
    null,
  );
  return (
    <Dialog title="First Purchases Today" wide onClose={onClose}>
      {byTenant.filter}
      <DataTable
        label="First Purchases Today"
        className=""
        onClick={leaving(onClose)}
        heads={['Customer', <TenantHeader />, ['Amount', 'number'], 'Payment Method', 'Status', 'Purchase Time']}
        of={{ ...purchases, data: byTenant.only(purchases.data) }}
        empty="No first purchases today"
      >
        {(purchase: FirstPurchase) => (
          <tr key={purchase.id}>
            <td className="customer">
              <bdi>{fullName(purchase.user)}</bdi>{' '}
              <EmailLink email={purchase.user?.email} playerId={purchase.player_id} />
            </td>
            <TenantCell id={purchase.tenant_id} tab="purchases" />
            <td className="number">
              <Money amount={purchase.amount} />
            </td>
            <td>{orDash(purchase.payment_method)}</td>
            <td>
              <span className={`status ${orDash(purchase.status).toLowerCase()}`}>{orDash(purchase.status)}</span>
            </td>
            <td>
              <DateTime at={purchase.initiated_at} tenantId={purchase.tenant_id} />
            </td>
          </tr>
        )}
      </DataTable>
      <footer>
        <Button onClick={onClose}>Close</Button>
      </footer>
    </Dialog>
  );
}
