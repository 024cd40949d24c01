import type { TenantSetup as Setup } from '../../../contract/entities';
import { tenantAddress } from '../../../contract/routes';
import { usePreference } from '../../hooks/usePreference';
import { useFeature } from '../../state/session';
import { Button } from '../../ui/Button';
import { RowLink } from '../../ui/RowLink';
import { useTenantSetup } from '../polled';

/** It is done when one of these is there. */
type Step = readonly [label: string, to: string, ...needs: (keyof Setup)[]];

/** What a new tenant needs before its people can work, in the order in which it is usually done. */
const toSteps = (id: number, name: string): Step[] => [
  ['Assign platforms', `/platforms?tenant=${encodeURIComponent(name)}`, 'has_platforms'],
  ['Create the first admin', `/admins?tenant=${id}&add=admin`, 'has_admins'],
  ['Add a payment method', `/payment-methods?add=${id}`, 'has_payment_methods'],
  ['Import users, or connect a system by an API key', tenantAddress(id), 'has_players', 'has_api_keys'],
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

  const steps = toSteps(tenantId, name).map(([label, to, ...needs]) => ({
    label,
    to,
    isDone: needs.some((one) => data?.[one]),
  }));
  const done = steps.filter(({ isDone }) => isDone).length;
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
          <li key={label} className={isDone ? 'done' : undefined}>
            {isDone ? (
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
