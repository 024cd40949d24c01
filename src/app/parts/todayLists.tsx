import { type ReactNode, useState } from 'react';
import type { SendOptions } from '../api/client';
import { orDash } from '../api/parse';
import { useCall } from '../hooks/useCall';
import { useApi } from '../state/session';
import { DataTable, type Head } from '../ui/DataTable';
import { DateTime } from '../ui/DateTime';
import { Dialog } from '../ui/Dialog';
import { EmailLink } from '../ui/EmailLink';
import { Money } from '../ui/Money';
import { ZoneNote } from '../ui/ZoneNote';
import { TenantCell, TenantFilter, TenantHeader } from './tenantColumn';

type ListProps = { tenantId: number | undefined; onClose: () => void };
const fullName = (person: { first_name?: string | null; last_name?: string | null } | null | undefined): string =>
  [person?.first_name, person?.last_name].filter(Boolean).join(' ');
const orNotAvailable = (value: unknown): string => (orDash(value) === '-' ? 'N/A' : orDash(value));
function TodayList<Row extends { tenant_id?: number }>({
  title,
  heads,
  empty,
  load,
  tenantId,
  onClose,
  children,
}: ListProps & {
  title: string;
  heads: readonly Head[];
  empty: string;
  load: (query: { tenant_id: number | undefined }, options: SendOptions) => Promise<Row[]>;
  children: (row: Row) => ReactNode;
}) {
  const [chosen, setChosen] = useState('');
  const rows = useCall(load, { tenant_id: tenantId }, null);
  const data = rows.data?.filter(({ tenant_id }) => !chosen || tenant_id === Number(chosen));
  return (
    <Dialog title={title} wide withClose onClose={onClose}>
      <div className="bar">
        <TenantFilter value={chosen} onChange={setChosen} />
        <ZoneNote tenantId={Number(chosen) || undefined} />
      </div>
      <DataTable
        label={title}
        className="stack today"
        heads={heads}
        // A link in it leaves the dialog.
        onClick={({ target }) => target instanceof Element && target.closest('a') && onClose()}
        of={{ ...rows, data }}
        empty={empty}
      >
        {children}
      </DataTable>
    </Dialog>
  );
}

/** The players who signed up today. Errors are only logged (docs/product.md, "Messages"). */
export const NewPlayers = (props: ListProps) => (
  <TodayList
    title="New Players Today"
    heads={['Name', 'Email', <TenantHeader />, 'Phone', 'Affiliate ID', 'Sign Up Time']}
    empty="No new players today"
    load={useApi().listNewPlayersToday}
    {...props}
  >
    {(player) => (
      <tr key={player.id}>
        <td className="name">
          <bdi>{orDash(fullName(player))}</bdi>
        </td>
        <td className="email">
          <EmailLink email={player.email} playerId={player.id} />
        </td>
        <TenantCell id={player.tenant_id} />
        <td className="phone">{orNotAvailable(player.phone_number)}</td>
        <td className="affiliate" data-label="Affiliate">
          {orNotAvailable(player.affiliate_id)}
        </td>
        <td className="on">
          <DateTime at={player.created_at} tenantId={player.tenant_id} />
        </td>
      </tr>
    )}
  </TodayList>
);

/** The players with a first purchase today; the status comes in capitals. Errors are only logged, as above. */
export const FirstPurchases = (props: ListProps) => (
  <TodayList
    title="First Purchases Today"
    heads={['Customer', <TenantHeader />, ['Amount', 'number'], 'Payment Method', 'Status', 'Purchase Time']}
    empty="No first purchases today"
    load={useApi().listFirstPurchasesToday}
    {...props}
  >
    {(purchase) => (
      <tr key={purchase.id}>
        <td className="customer email">
          <bdi>{fullName(purchase.user)}</bdi> <EmailLink email={purchase.user?.email} playerId={purchase.player_id} />
        </td>
        <TenantCell id={purchase.tenant_id} tab="purchases" />
        <td className="number amount">
          <Money amount={purchase.amount} />
        </td>
        <td>{orDash(purchase.payment_method)}</td>
        <td className="state">
          <span className={`status ${orDash(purchase.status).toLowerCase()}`}>{orDash(purchase.status)}</span>
        </td>
        <td className="started">
          <DateTime at={purchase.initiated_at} tenantId={purchase.tenant_id} />
        </td>
      </tr>
    )}
  </TodayList>
);
