/** Draws a screen or dialog with some features and lists what it shows and what it sends. */
import { cleanup, fireEvent, render } from '@testing-library/react';
import { type ReactNode, useContext, useMemo } from 'react';
import { parseLogin } from '../../../src/app/api/parse';
import { SessionContext, SessionProvider } from '../../../src/app/state/session';
import { ToastProvider } from '../../../src/app/state/toasts';
import { calls as allCalls } from '../../../src/contract/allCalls';
import type { CallName, CallSpec } from '../../../src/contract/calls';
import { features as everyFeature, type Feature } from '../../../src/contract/constants';
import { fetch, type Person, signIn } from '../../world';

export interface Surface {
  name: string;
  by: Person;
  /** The address. */
  at?: string;
  node: ReactNode;
  /**
   * What is pressed, one after the other: the names of buttons, links and entries of menus, or how they begin or end
   * ('…').
   */
  press?: readonly string[];
  /** What is typed or chosen, by label or how it begins or ends, and what is pressed then. */
  fill?: Readonly<Record<string, string>>;
  send?: string;
  /** What is pressed only asks for something. */
  isRead?: true;
  /** The app shows it only with this feature; the way to it is a link or button of another one. */
  feature?: Feature;
}
/** undefined: another server, which knows of no features. */
export type Offered = readonly Feature[] | undefined;
/** A demand and no offer: it is tried in dialogs/account/Account.test.tsx. */
export const offers = everyFeature.filter((name) => name !== 'two_factor_setup');

/** The session with other features, noting which of them are asked for. */
function Offering({ offered, read, children }: { offered: Offered; read: Set<Feature>; children: ReactNode }) {
  const given = useContext(SessionContext)!;
  const value = useMemo(() => {
    if (!given.session.user) return given; // signed out
    const { features: _, permissions, ...user } = given.session.user;
    const noted = Object.assign([...(offered ?? [])], {
      includes(name: Feature) {
        read.add(name);
        return offered?.includes(name) ?? false;
      },
    });
    const shown = { ...user, ...(offered && { features: noted, ...(permissions && { permissions }) }) };
    return { ...given, session: { ...given.session, user: shown } };
  }, [given, offered, read]);
  return <SessionContext value={value}>{children}</SessionContext>;
}

const { confirm } = globalThis,
  { createObjectURL } = URL;
let changes = 0;
const watch = new MutationObserver(() => void changes++);
/** Each file that looks begins with it: a process runs several of them, and loads this module once. */
export function replaceWindow(): void {
  globalThis.confirm = () => true;
  URL.createObjectURL = () => '#'; // the window would go to the file
}
/** For the files that this process runs next. */
export function restoreWindow(): void {
  watch.disconnect();
  localStorage.clear();
  sessionStorage.clear();
  Object.assign(globalThis, { confirm });
  URL.createObjectURL = createObjectURL;
}
const logins: Partial<Record<Person, ReturnType<typeof parseLogin>>> = {};
const answers = new Map<string, Promise<Response>>();
/** Signs in anew and forgets the answers of the server. */
export function forget(): void {
  answers.clear();
  for (const person of Object.keys(logins) as Person[]) delete logins[person];
}
const calls: Record<CallName, CallSpec> = allCalls;
const paths = Object.entries(calls).map(([name, { method, path }]) => ({
  name: name as CallName,
  method,
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+').replace(/\/$/, '')}/?$`),
  holes: path.split('{').length,
}));
/** The call that a request makes. */
export const callOf = (method: string, path: string): CallName | undefined =>
  paths.filter((call) => call.method === method && call.pattern.test(path)).sort((a, b) => a.holes - b.holes)[0]?.name;

export type Break = (call: CallName, isRead: boolean) => Response | Promise<Response> | undefined;
const never = new Promise<Response>(() => undefined);

/** Nothing if there is no such surface with these features. A write reaches no server; `broken` answers in its place. */
export async function look(
  surface: Surface,
  offered: Offered,
  broken: Break = () => undefined,
  /** How long nothing must change before it counts as there, in turns of the clock. */
  patience = 5,
) {
  cleanup();
  logins[surface.by] ??= parseLogin(await signIn(surface.by));
  const login = logins[surface.by];
  localStorage.clear();
  sessionStorage.clear();
  localStorage.setItem('token', login?.token ?? '');
  localStorage.setItem('user', JSON.stringify(login?.user));
  history.replaceState(null, '', surface.at ?? '/');
  const sent = new Set<string>();
  const made = new Set<CallName>();
  const waiting = new Set<Promise<Response>>();
  let isHeld = false;
  const line = async (url: string, init?: RequestInit): Promise<Response> => {
    const { pathname, searchParams } = new URL(url, 'http://test');
    const method = init?.method ?? 'GET';
    const call = callOf(method, pathname)!;
    const body = typeof init?.body === 'string' ? ` {${Object.keys(JSON.parse(init.body)).sort().join(' ')}}` : '';
    const keys = [...new Set(searchParams.keys())].sort().map((key) => ` ?${key}`);
    const key = new Headers(init?.headers).has('Idempotency-Key') ? ' Idempotency-Key' : '';
    sent.add(`${call}${keys.join('')}${body}${key}`);
    made.add(call);
    const isRead = method === 'GET';
    const instead = broken(call, isRead);
    if (instead) return instead;
    if (!isRead || calls[call].answer === 'csv') {
      isHeld = true;
      return never;
    }
    const asked = `${surface.by} ${url}`;
    if (!answers.has(asked)) answers.set(asked, fetch(url, { ...init, signal: null }));
    const answer = answers.get(asked)!;
    waiting.add(answer);
    const copy = (await answer).clone();
    waiting.delete(answer);
    return copy;
  };
  const read = new Set<Feature>();
  const screen = render(
    <ToastProvider>
      <SessionProvider fetch={line}>
        <Offering offered={offered} read={read}>
          {surface.node}
        </Offering>
      </SessionProvider>
    </ToastProvider>,
  );
  const place = () => [...screen.baseElement.querySelectorAll<HTMLElement>('dialog')].at(-1) ?? screen.baseElement;
  watch.disconnect(); // or each change would be noted once for every look before
  watch.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  const settled = async () => {
    let before = -1,
      calm = 0;
    for (let turn = 0; calm < patience && turn < 2000; turn++) {
      await new Promise((done) => setTimeout(done, 2));
      // What loads outside a list too: a part that is fetched, the metrics. A write that is never answered stays busy.
      const isBusy = waiting.size > 0 || document.querySelector(isHeld ? '.loading' : '[aria-busy=true]') !== null;
      calm = isBusy || changes !== before ? 0 : calm + 1;
      before = changes;
    }
  };
  await settled();
  for (const name of surface.press ?? []) {
    const button = find(place(), name);
    if (!button) return null;
    sent.clear();
    fireEvent.click(button);
    await settled();
  }
  for (const [label, value] of Object.entries(surface.fill ?? {})) {
    const field = fieldsIn(place()).find((one) => isCalled(labelOf(one), label));
    if (field) fireEvent.change(field, { target: { value } });
  }
  const shown = inventory(place());
  if (surface.send) {
    await settled();
    const button = find(place(), surface.send);
    if (button) fireEvent.click(button); // else the browser's own question was answered by Yes
    await settled();
  }
  /** Presses a button and waits; false if it is not there. */
  const press = async (name: string) => {
    const button = find(place(), name);
    if (button) fireEvent.click(button);
    await settled();
    return button !== undefined;
  };
  /** `shown` as 'button: Save', `sent` as 'listPurchases ?limit' or 'createTenant {name}'. */
  return { shown, sent: [...sent].sort(), made: [...made], read, press, screen };
}
export type Seen = NonNullable<Awaited<ReturnType<typeof look>>>;

const fieldsIn = (place: HTMLElement) =>
  [...place.querySelectorAll<HTMLInputElement>('input, select, textarea')].filter(({ type }) => type !== 'hidden');
const words = (element: Element | null | undefined): string => {
  const copy = element?.cloneNode(true) as Element | undefined;
  for (const inner of copy?.querySelectorAll('select, input, textarea, small, [aria-hidden=true]') ?? [])
    inner.remove();
  return (copy?.textContent ?? '').replace(/\s+/g, ' ').trim();
};
const nameOf = (element: Element) =>
  plain(
    element.getAttribute('aria-label') ??
      (element.getAttribute('aria-labelledby')
        ? words(document.getElementById(element.getAttribute('aria-labelledby')!.split(' ')[0]!))
        : words(element)),
  );
/** Without what differs from row to row. */
const plain = (text: string) =>
  text
    .replace(/[\w.+-]+@[\w.-]+\w/g, '(email)')
    .replace(/\d[\d,.:/–-]*/g, '#')
    .trim();
export function labelOf(field: HTMLInputElement): string {
  const label = field.id ? document.querySelector(`label[for="${field.id}"]`) : null;
  return plain(field.getAttribute('aria-label') ?? words(field.closest('label') ?? label)) || field.name || field.type;
}
const pressable = 'button, a[href], [role=menuitem], [role=tab], summary, input[type=checkbox]';
function find(place: HTMLElement, name: string): HTMLElement | undefined {
  const all = [...place.querySelectorAll<HTMLElement>(pressable)].filter((one) => !(one as HTMLButtonElement).disabled);
  const called = (one: HTMLElement) => (one.tagName === 'INPUT' ? labelOf(one as HTMLInputElement) : nameOf(one));
  return all.find((one) => isCalled(called(one), name));
}
/** A name as a surface gives it, or how it begins or ends ('…'). */
export const isCalled = (called: string, name: string): boolean =>
  name.startsWith('…')
    ? called.endsWith(name.slice(1))
    : name.endsWith('…')
      ? called.startsWith(name.slice(0, -1))
      : called === name;
function inventory(place: HTMLElement): string[] {
  const list = (selector: string, kind: string, name: (element: never) => string = nameOf) =>
    [...place.querySelectorAll<HTMLElement>(selector)].map((one) => `${kind}: ${name(one as never)}`);
  return [
    ...new Set([
      ...list('h2, h3, h4, legend, figcaption, dt', 'title'),
      ...list('th', 'column', words as (element: never) => string),
      ...list('button, [role=menuitem], [role=tab], summary', 'button'),
      ...list('a[href]', 'link'),
      ...fieldsIn(place).map((field) => `field: ${labelOf(field)}`),
    ]),
  ]
    .filter((line) => !/: $/.test(line))
    .sort();
}
