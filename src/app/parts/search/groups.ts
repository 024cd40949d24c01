/** What was found as groups of options, read from whatever a server sent. */
import { FIND_HITS, type FoundBy } from '../../../contract/search';
import { toAmount } from '../../api/amount';
import { toText } from '../../api/parse';

/** Whither the search leads without the server: a screen's address and its name, in the order of the menu. */
export type Screens = readonly (readonly [href: string, name: string])[];

/** What can be chosen, and where it leads. */
export interface Option { key: string; href: string; title: string; name: string; /** By which field it was found, and whose it is. */ about: string }
export interface Group { title: string; options: Option[] }

const fields: Record<FoundBy, string> = { email: 'email', name: 'name', phone: 'phone', payment_reference: 'payment reference', payout_address: 'payout address' };
const isKnown = (by: string): by is FoundBy => Object.hasOwn(fields, by);

const getRows = (found: unknown, kind: string): Record<string, unknown>[] => {
  const list: unknown = typeof found === 'object' && found !== null ? Reflect.get(found, kind) : undefined;
  return Array.isArray(list) ? list.filter((row): row is Record<string, unknown> => typeof row === 'object' && row !== null) : [];
};

interface Reader { /** A super admin is told whose player it is. */ isSuper: boolean; /** Whether a player can be opened by itself. */ hasView: boolean }

function toPlayerOption(row: Record<string, unknown>, { isSuper, hasView }: Reader): Option {
  const email = toText(row.email), id = toAmount(row.id), by = toText(row.matched);
  // The e-mail and the name stand there already.
  const matched = !isKnown(by) ? '' : by === 'email' || by === 'name' ? fields[by] : `${fields[by]} ${toText(row.value)}`;
  return {
    key: `${id}${by}${toText(row.value)}`, title: email, name: [row.first_name, row.last_name].map(toText).filter(Boolean).join(' '),
    href: `/users?search=${encodeURIComponent(email)}${hasView && id !== null ? `&player=${id}` : ''}`,
    about: [isSuper ? toText(row.tenant_name) : '', matched].filter(Boolean).join(' · '),
  };
}

function toTenantOption(row: Record<string, unknown>): Option {
  const id = String(toAmount(row.id) ?? '');
  return { key: id, href: `/tenant/${id}/admin`, title: toText(row.name), name: '', about: toText(row.email) };
}

/** The screens whose name has the words, those that begin with them first. */
export function findScreens(screens: Screens, words: string): Group[] {
  const wanted = words.toLowerCase(), found = screens.filter(([, name]) => name.toLowerCase().includes(wanted));
  const begins = (name: string) => Number(name.toLowerCase().startsWith(wanted));
  const options = found.toSorted(([, a], [, b]) => begins(b) - begins(a)).slice(0, FIND_HITS).map(([href, title]) => ({ key: href, href, title, name: '', about: '' }));
  return words && options.length ? [{ title: 'Screens', options }] : [];
}

export function buildGroups(found: unknown, reader: Reader): Group[] {
  const players = (kind: string) => getRows(found, kind).map((row) => toPlayerOption(row, reader)).filter(({ title }) => title !== '');
  return [
    { title: 'Players', options: players('players') },
    { title: 'Payments', options: players('payments') },
    { title: 'Payouts', options: players('payouts') },
    { title: 'Tenants', options: getRows(found, 'tenants').map(toTenantOption).filter(({ key }) => key !== '') },
  ].filter(({ options }) => options.length);
}
