import type { KeyboardEvent, ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { readTenantPath, tenantAddress } from '../../contract/routes';
import { useQueryParams } from '../hooks/useQueryParams';
import { MenuCount } from '../parts/MenuCount';
import { TodayMetrics } from '../parts/TodayMetrics';
import { useTenantScope } from '../parts/tenantScope';
import { useScreenTitle } from '../parts/useScreenTitle';
import { Select } from '../ui/Select';
import { SideMenu } from '../ui/SideMenu';

const toSlug = (tab: string) => tab.toLowerCase().replaceAll(' ', '-');
/** The address of a tab; the first tab has the address of the view. */
export const tabAddress = (path: string, tab: string, index: number): string =>
  index ? `${path}?tab=${toSlug(tab)}` : path;

type Props = { tenantId: number; tabs: Readonly<Record<string, ReactNode>>; above?: ReactNode; intro?: ReactNode };
/** A tenant's view: its tabs beside Today's Metrics (docs/product.md, "Routes and menus"). */
export function TenantAdmin({ tenantId, tabs, above, intro }: Props) {
  const [path, navigate] = useLocation();
  const [{ tab }] = useQueryParams({ tab: '' });
  const names = Object.keys(tabs);
  const home = readTenantPath(path) ? path : '/';
  // '/users' and '/overview' are addresses of tabs, too.
  const open = names.find((name) => [tab, path.replaceAll('/', '')].includes(toSlug(name))) ?? names[0] ?? '';

  const { tenants } = useTenantScope();
  useScreenTitle(open, tenantId);

  return (
    <div className="with-side">
      <SideMenu label="Tenant menu">
        {above}
        {tenants.has(tenantId) && (
          <Select
            label="Switch tenant"
            value={tenantId}
            options={[...tenants.values()].map(({ id, name }) => ({ value: id, label: name }))}
            onChange={({ target }) => navigate(tabAddress(tenantAddress(target.value), open, names.indexOf(open)))}
          />
        )}
        <nav aria-label="Tenant">
          <ul role="tablist" aria-orientation="vertical" onKeyDown={turn}>
            {names.map((name, index) => (
              // The link drops the query parameters of other tabs.
              <li key={name} role="presentation">
                <Link
                  role="tab"
                  aria-selected={name === open}
                  tabIndex={name === open ? 0 : -1}
                  href={tabAddress(home, name, index)}
                  aria-current={name === open ? 'page' : undefined}
                >
                  {name}
                </Link>
                <MenuCount label={name} tenantId={tenantId} />
              </li>
            ))}
          </ul>
        </nav>
        <TodayMetrics tenantId={tenantId} />
      </SideMenu>
      <section key={path + open} role="tabpanel" aria-label={open}>
        {intro}
        {tabs[open]}
      </section>
    </div>
  );
}

/** Arrow keys, Home and End move between the tabs. A tab is a link, so Enter opens it. */
function turn(event: KeyboardEvent<HTMLElement>) {
  const tabs = [...event.currentTarget.querySelectorAll('a')],
    last = tabs.length - 1,
    at = tabs.findIndex((tab) => tab.contains(document.activeElement));
  const next = { ArrowDown: at === last ? 0 : at + 1, ArrowUp: at ? at - 1 : last, Home: 0, End: last }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  tabs[next]?.focus();
}
