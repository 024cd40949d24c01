import { useState, type MouseEvent } from 'react';
import type { FirstPurchase, PlayerToday } from '../../contract/entities';
import { useResource } from '../hooks';
import { orDash, toAmount } from '../read';
import { useApi } from '../session';
import { Dialog } from '../ui/Dialog';
import { EmailLink } from '../ui/EmailLink';
import { Money } from '../ui/Money';
import { Rows } from '../ui/Rows';
import { TableFrame } from '../ui/TableFrame';
import { When } from '../ui/When';
import { useMetrics } from './metrics';

/** The chips of the title bar: how many today, and who they are (spec 2). */
export function HeaderMetrics({ tenantId }: { tenantId?: number | undefined }) {
  const { data } = useMetrics(tenantId);
  const [shown, setShown] = useState<'players' | 'purchases' | null>(null);
  const count = (value: unknown) => orDash(toAmount(value));

  return (
    <div className="chips">
      <button type="button" className="chip" aria-haspopup="dialog" onClick={() => setShown('players')}>New Sign Ups Today: {count(data?.new_signups_today)}</button>
      <button type="button" className="chip" aria-haspopup="dialog" onClick={() => setShown('purchases')}>First Purchase Today: {count(data?.first_purchase_today)}</button>
      {shown === 'players' && <NewPlayers tenantId={tenantId} onClose={() => setShown(null)} />}
      {shown === 'purchases' && <FirstPurchases tenantId={tenantId} onClose={() => setShown(null)} />}
    </div>
  );
}

interface ListProps { tenantId: number | undefined; onClose: () => void }
const fullName = (person: { first_name?: string | null; last_name?: string | null } | null | undefined): string =>
  [person?.first_name, person?.last_name].filter(Boolean).join(' ');
const orNone = (value: unknown): string => (orDash(value) === '-' ? 'N/A' : orDash(value));
/** A link out of the dialog leads past it. */
const leaving = (onClose: () => void) => ({ target }: MouseEvent) => { if (target instanceof Element && target.closest('a')) onClose(); };

/** Failures are only logged (spec 8). */
function NewPlayers({ tenantId, onClose }: ListProps) {
  const api = useApi();
  const players = useResource((signal) => api.listNewPlayersToday({ tenant_id: tenantId }, { signal }), [api, tenantId], null);
  return (
    <Dialog title="New Players Today" wide onClose={onClose}>
      <TableFrame label="New Players Today">
        <table onClick={leaving(onClose)}>
          <thead><tr><th>Name</th><th>Email</th><th>Phone</th><th>Affiliate ID</th><th>Sign Up Time</th></tr></thead>
          <Rows of={players} span={5} empty="No new players today">
            {(player: PlayerToday) => (
              <tr key={player.id}>
                <td><bdi>{orDash(fullName(player))}</bdi></td>
                <td><EmailLink email={player.email} /></td>
                <td>{orNone(player.phone_number)}</td>
                <td>{orNone(player.affiliate_id)}</td>
                <td><When at={player.created_at} /></td>
              </tr>
            )}
          </Rows>
        </table>
      </TableFrame>
      <footer><button type="button" onClick={onClose}>Close</button></footer>
    </Dialog>
  );
}

/** The status comes in capitals here; SUCCESS is highlighted. Failures are only logged (spec 8). */
function FirstPurchases({ tenantId, onClose }: ListProps) {
  const api = useApi();
  const purchases = useResource((signal) => api.listFirstPurchasesToday({ tenant_id: tenantId }, { signal }), [api, tenantId], null);
  return (
    <Dialog title="First Purchases Today" wide onClose={onClose}>
      <TableFrame label="First Purchases Today">
        <table onClick={leaving(onClose)}>
          <thead><tr><th>Customer</th><th className="number">Amount</th><th>Payment Method</th><th>Status</th><th>Purchase Time</th></tr></thead>
          <Rows of={purchases} span={5} empty="No first purchases today">
            {(purchase: FirstPurchase) => (
              <tr key={purchase.id}>
                <td><bdi>{fullName(purchase.user)}</bdi> <EmailLink email={purchase.user?.email} /></td>
                <td className="number"><Money amount={purchase.amount} /></td>
                <td>{orDash(purchase.payment_method)}</td>
                <td><span className={`status ${orDash(purchase.status).toLowerCase()}`}>{orDash(purchase.status)}</span></td>
                <td><When at={purchase.initiated_at} /></td>
              </tr>
            )}
          </Rows>
        </table>
      </TableFrame>
      <footer><button type="button" onClick={onClose}>Close</button></footer>
    </Dialog>
  );
}
