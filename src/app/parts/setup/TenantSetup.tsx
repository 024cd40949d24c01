import type { TenantSetup as Setup } from '../../../contract/entities';
import { tenantAddress } from '../../../contract/routes';
import { usePreference } from '../../hooks/usePreference';
import { useFeature } from '../../state/session';
import { Button } from '../../ui/Button';
import { RowLink } from '../../ui/RowLink';
import { useTenantSetup } from '../polled';

interface Step {
  label: string;
  to: string;
  isDone: (setup: Setup) => boolean;
}

/** What a new tenant needs before its people can work, in the order in which it is usually done. */
const toSteps = (tenantId: number, name: string): Step[] => [
  {
    label: 'Assign platforms',
    to: `/platforms?tenant=${encodeURIComponent(name)}`,
    isDone: ({ has_platforms }) => has_platforms,
  },
  {
    label: 'Create the first admin',
    to: `/admins?tenant=${tenantId}&add=admin`,
    isDone: ({ has_admins }) => has_admins,
  },
  {
    label: 'Add a payment method',
    to: `/payment-methods?add=${tenantId}`,
    isDone: ({ has_payment_methods }) => has_payment_methods,
  },
  {
    label: 'Import users, or connect a system by an API key',
    to: tenantAddress(tenantId),
    isDone: ({ has_players, has_api_keys }) => has_players || has_api_keys,
  },
];

type Props = { tenantId: number; name: string; onHide?: () => void };
/**
 * The first steps for a tenant, ticked by what the server knows, until all are done or the person hides them.
 * With `onHide` somebody asked for them: they are shown in any case, until that is called.
 */
export function TenantSetup({ tenantId, name, onHide }: Props) {
  const isOffered = useFeature('tenant_setup');
  const { value, isRead, choose } = usePreference(`setup of tenant ${tenantId}`);
  const isOpen = isRead && value !== 'hidden';
  const isAsked = Boolean(onHide);
  const { data } = useTenantSetup(tenantId, { isEnabled: isOffered && (isAsked || isOpen) });

  const steps = toSteps(tenantId, name);
  const done = data ? steps.filter(({ isDone }) => isDone(data)).length : 0;
  if (!data || (!isAsked && (!isOpen || done === steps.length))) return null;
  return (
    <section className="setup" ref={isAsked ? bringIntoView : undefined} aria-label={`First steps for ${name}`}>
      <header className="bar">
        <h3>First steps for {name}</h3>
        <span>
          {done} of {steps.length} done
        </span>
        <Button
          onClick={() => {
            choose('hidden');
            onHide?.();
          }}
        >
          Hide
        </Button>
      </header>
      <ol>
        {steps.map(({ label, to, isDone }) => (
          <li key={label} className={isDone(data) ? 'done' : undefined}>
            {isDone(data) ? (
              <>
                {label}
                <span className="unseen">, done</span>
              </>
            ) : (
              <RowLink to={to}>{label}</RowLink>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

const bringIntoView = (element: HTMLElement | null) => element?.scrollIntoView?.({ block: 'nearest' });
