import { useState } from 'react';
import { PLATFORM_TENANT_ID } from '../../contract/constants';
import type { Tenant, TenantFigures } from '../../contract/entities';
import { tenantAddress } from '../../contract/routes';
import { toAmount } from '../api/amount';
import { orDash, toFieldText } from '../api/parse';
import { useCall } from '../hooks/useCall';
import { type Saving, useForm } from '../hooks/useForm';
import { useQueryParams } from '../hooks/useQueryParams';
import { TenantSetup } from '../parts/setup/TenantSetup';
import { TransactionList } from '../parts/TransactionList';
import { OneTenant } from '../parts/tenantScope';
import { useTenants } from '../parts/useTenants';
import { useApi, useFeature, useUser } from '../state/session';
import { Button } from '../ui/Button';
import { CheckBox } from '../ui/CheckBox';
import { columnClass } from '../ui/columnClass';
import { DataTable } from '../ui/DataTable';
import { Field } from '../ui/Field';
import { FormDialog } from '../ui/FormDialog';
import { FormError } from '../ui/FormError';
import { formatCount } from '../ui/formatCount';
import { RowLink } from '../ui/RowLink';
import { ZoneNote } from '../ui/ZoneNote';

/** Every tenant but the platform's own, and the latest purchases of one (docs/product.md, "Tenants"). */
export function Tenants({ onOpen }: { onOpen?: (tenantId: number) => void }) {
  const api = useApi();
  const [{ view, added }, setAddress] = useQueryParams({ view: '', added: '' });
  const [editing, setEditing] = useState<Tenant | null>(null);
  const hasSetup = useFeature('tenant_setup');
  const tenants = useTenants('Failed to fetch tenants', { hidePlatformTenant: true });
  const hasFigures = useFeature('overview');
  const figures = useCall(api.listTenantFigures, hasFigures ? {} : null, null);
  const form = useForm({
    initial: { name: '', description: '' },
    draft: 'new tenant',
    async send(body, options) {
      const made = toAmount(Object(await api.createTenant({ body }, options)).id);
      form.reset(); // the next one can be typed while the list reloads
      if (hasSetup && made !== null) setAddress({ added: String(made) }, { replace: true });
    },
    done: 'Tenant created successfully',
    failed: 'Failed to create tenant',
    shownAt: ['name'],
    reload: tenants.reload,
  });
  // The id comes from the address, so the purchases load without waiting for the tenants.
  const viewedId = /^\d{1,15}$/.test(view) && Number(view) !== PLATFORM_TENANT_ID ? Number(view) : undefined;
  const isViewed = ({ id }: Tenant) => Number(id) === viewedId; // another server may send ids as text
  const viewed = tenants.data?.find(isViewed);
  const figuresOf = (id: number) => figures.data?.find(({ tenant_id }) => tenant_id === id);
  const newest = hasSetup ? tenants.data?.find(({ id }) => String(id) === added) : undefined;

  return (
    <>
      <div className="bar">
        <h2>Tenants</h2>
        <form className="bar" onSubmit={form.onSubmit}>
          <Field label="Name" required pattern=".*\S.*" title="A name" {...form.field('name')} />
          <Field label="Description" {...form.field('description')} />
          <button disabled={form.busy}>Add Tenant</button>
        </form>
      </div>
      <FormError reason={form.reason} />
      {newest && (
        <TenantSetup
          key={newest.id}
          tenantId={newest.id}
          name={orDash(newest.name)}
          onHide={() => {
            setAddress({ added: '' }, { replace: true });
            document.querySelector('main')?.focus({ preventScroll: true });
          }}
        />
      )}

      <DataTable
        label="Tenants"
        className="stack tenants"
        heads={[
          ['ID', 'number'],
          'Name',
          'Description',
          hasFigures && ['Players', 'number'],
          hasFigures && ['Pending', 'number'],
          'Active',
          'Actions',
        ]}
        of={tenants}
        empty="No tenants yet."
      >
        {(tenant) => (
          <tr key={tenant.id}>
            <td className="number" data-label="ID">
              {tenant.id}
            </td>
            <td className="head">
              {onOpen ? (
                <button className="link" onClick={() => onOpen(tenant.id)}>
                  {orDash(tenant.name)}
                </button>
              ) : (
                orDash(tenant.name)
              )}
            </td>
            <td className={columnClass('broad', orDash(tenant.description))}>{orDash(tenant.description)}</td>
            {hasFigures && <Figures of={tenant.id} figures={figures.data && (figuresOf(tenant.id) ?? NONE)} />}
            <td data-label="Active">{tenant.is_active ? 'Yes' : 'No'}</td>
            <td className="actions">
              <button
                aria-pressed={isViewed(tenant)}
                onClick={() => setAddress({ view: isViewed(tenant) ? '' : String(tenant.id) })}
              >
                View
              </button>
              <button onClick={() => setEditing(tenant)}>Edit</button>
              {hasSetup && figures.data && !figuresOf(tenant.id)?.players && (
                <RowLink to={`/tenants?added=${tenant.id}`}>First steps</RowLink>
              )}
            </td>
          </tr>
        )}
      </DataTable>

      {viewedId !== undefined && <Latest key={viewedId} tenantId={viewedId} viewed={viewed} />}
      {editing && <EditTenant tenant={editing} onClose={() => setEditing(null)} onSaved={tenants.reload} />}
    </>
  );
}

const toTheList = () => document.querySelector<HTMLElement>('.tenants [aria-pressed="true"]')?.focus();
const goTo = (section: HTMLElement | null) => {
  const heading = section?.querySelector('h2');
  heading?.setAttribute('tabindex', '-1');
  heading?.focus({ preventScroll: true });
  section?.scrollIntoView?.({ block: 'start' });
};
function Latest({ tenantId, viewed }: { tenantId: number; viewed: Tenant | undefined }) {
  const { features } = useUser();
  return (
    <section ref={goTo} className="latest" aria-label="Latest purchases">
      <OneTenant zone={viewed?.time_zone}>
        <TransactionList kind="all" tenantId={tenantId}>
          {viewed && (
            <span>
              Tenant: {orDash(viewed.name)} <ZoneNote />
            </span>
          )}
          {features && <RowLink to={tenantAddress(tenantId, 'purchases')}>All purchases</RowLink>}
          {features && <Button onClick={toTheList}>Back to the list</Button>}
        </TransactionList>
      </OneTenant>
    </section>
  );
}

/** Empty until they are there. What waits leads to where it is told apart. */
function Figures({ of, figures }: { of: number; figures: Omit<TenantFigures, 'tenant_id'> | undefined }) {
  return (
    <>
      <td className="number" data-label="Players">
        {figures && formatCount(figures.players)}
      </td>
      <td className="number" data-label="Pending">
        {figures?.pending ? (
          <RowLink to={tenantAddress(of, 'overview')}>{formatCount(figures.pending)}</RowLink>
        ) : (
          figures && '0'
        )}
      </td>
    </>
  );
}
const NONE = { players: 0, pending: 0 };

type Props = Saving & { tenant: Tenant };
/** The dialog for a tenant (docs/product.md, "Tenants"). The e-mail is sent only to a server that takes one. */
function EditTenant({ tenant, onClose, onSaved }: Props) {
  const api = useApi();
  const hasEmail = useFeature('tenant_email');
  const mayRequire = useFeature('account');
  const hasZone = useFeature('time_zone');
  const hasMail = useFeature('mail_links');
  const form = useForm({
    initial: {
      name: toFieldText(tenant.name),
      description: tenant.description ?? '',
      email: tenant.email ?? '',
      time_zone: tenant.time_zone ?? '',
      require_two_factor: tenant.require_two_factor === true,
      mail_links: tenant.mail_links === true,
    },
    draft: `tenant ${tenant.id}`,
    send({ name, description, email, time_zone, require_two_factor, mail_links }, options) {
      const body = {
        name,
        description,
        ...(hasEmail && (email || tenant.email) && { email }),
        ...(mayRequire && require_two_factor !== (tenant.require_two_factor === true) && { require_two_factor }),
        ...(hasMail && mail_links !== (tenant.mail_links === true) && { mail_links }),
        ...(hasZone && time_zone !== tenant.time_zone && { time_zone }),
      };
      return api.updateTenant({ id: tenant.id, body }, options);
    },
    done: 'Tenant updated successfully',
    failed: 'Failed to save tenant',
    shownAt: ['name'],
    reload: onSaved,
    onDone: onClose,
  });
  const { values, field } = form;

  return (
    <FormDialog title="Edit Tenant" {...form.dialog} disabled={!values.name.trim()} onClose={onClose}>
      <Field label="Name" required {...field('name')} />
      <Field label="Description" {...field('description')} />
      <Field
        label="Email"
        type="email"
        hint={hasEmail ? undefined : 'Changes to it are not sent to this server.'}
        {...field('email')}
      />
      {hasZone && (
        <>
          <Field
            label="Time zone"
            required
            list="zones"
            hint="Business days begin at midnight there. After a change, all past days are counted again."
            {...field('time_zone')}
          />
          <datalist id="zones">
            {['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
        </>
      )}
      {mayRequire && <CheckBox label="Require two-factor sign-in" {...form.box('require_two_factor')} />}
      {hasMail && <CheckBox label="Invitations and new passwords by email" {...form.box('mail_links')} />}
    </FormDialog>
  );
}
