/** A page for react.test.ts: what this app asks of React, and what seldom happens to it. What takes place is written down in `told`. */
import {
  Component, createContext, createElement, forwardRef, Fragment, memo, useContext, useEffect, useId, useInsertionEffect, useLayoutEffect, useMemo, useReducer, useRef, useState,
  useSyncExternalStore, type ReactNode,
} from 'react';
import { createPortal } from 'react-dom';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { drawOnce } from '../../src/app/drawOnce';
import { Mishap } from '../../src/app/ui/Mishap';

const told: string[] = [];
const tell = (words: string) => { told.push(words); };
const text = (thing: unknown) => (thing instanceof Error ? thing.message : String(thing));
addEventListener('error', (event) => { tell(`window: ${text(event.error)}`); event.preventDefault(); });
addEventListener('submit', (event) => event.preventDefault()); // Firefox sends a form when a script says so, too
console.error = (...all: unknown[]) => tell(`console: ${all.map(text).join(' ')}`);

let root: Root | undefined;
const host = document.body.appendChild(document.createElement('main'));
let isDrawn = false;
function Scene({ children }: { children: ReactNode }) {
  useEffect(() => { isDrawn = true; });
  return children;
}
const begin = (scene: ReactNode) => { root = createRoot(host); root.render(<Scene>{scene}</Scene>); };
const hydrate = (scene: ReactNode) => { root = hydrateRoot(host, <Scene>{scene}</Scene>); };
const takeOver = (drawn: ReactNode, scene: ReactNode) => { drawOnce(drawn, host); hydrate(scene); };

function Form({ label, children }: { label: string; children?: ReactNode }) {
  const id = useId();
  const [name, setName] = useState('');
  return (
    <form onSubmit={(event) => { event.preventDefault(); tell(`sent ${name}`); }}>
      <label htmlFor={id}>{label} {name.length}</label>
      <input id={id} name="name" value={name} onChange={(event) => setName(event.target.value.toUpperCase())} onFocus={() => tell('focus')} onBlur={() => tell('blur')} />
      <input name="free" defaultValue="begun" />
      {children}
      <button onClick={() => tell('clicked')}>Send</button>
    </form>
  );
}

function Fields() {
  const [values, set] = useReducer((old: Record<string, string | boolean>, more: Record<string, string | boolean>) => ({ ...old, ...more }), { number: '1', text: '', one: 'a', pick: 'b', tick: false, fixed: 'stays' });
  return (
    <form>
      <input aria-label="number" type="number" value={String(values['number'])} onChange={({ target }) => { tell(`number ${target.value}`); set({ number: target.value }); }} />
      <textarea aria-label="text" value={String(values['text'])} onChange={({ target }) => { tell(`text ${target.value}`); set({ text: target.value }); }} />
      {['a', 'b'].map((one) => <input key={one} aria-label={one} type="radio" name="one" value={one} checked={values['one'] === one} onChange={() => { tell(`radio ${one}`); set({ one }); }} />)}
      <select aria-label="pick" value={String(values['pick'])} onChange={({ target }) => { tell(`pick ${target.value}`); set({ pick: target.value }); }}>
        {['a', 'b', 'c'].map((one) => <option key={one} value={one}>{one}</option>)}
      </select>
      <input aria-label="tick" type="checkbox" checked={values['tick'] === true} onChange={({ target }) => { tell(`tick ${target.checked}`); set({ tick: target.checked }); }} />
      <input aria-label="fixed" value={String(values['fixed'])} onChange={({ target }) => tell(`fixed ${target.value}`)} />
      <input aria-label="kept" type="checkbox" checked onChange={({ target }) => tell(`kept ${target.checked}`)} />
      <output>{JSON.stringify(values)}</output>
    </form>
  );
}

/** Throws at the place it is told to. */
function Thrower() {
  const [place, setPlace] = useState('');
  const fail = (here: string) => { if (place === here) throw new Error(`from ${here}`); };
  fail('drawing');
  useInsertionEffect(() => fail('insertion'), [place]);
  useLayoutEffect(() => fail('layout'), [place]);
  useEffect(() => fail('effect'), [place]);
  useEffect(() => () => fail('cleanup'), [place]);
  if (place === 'endless') setPlace((old) => `${old}`.slice());
  const [again, setAgain] = useState(0);
  useLayoutEffect(() => { if (place === 'nested') setAgain(again + 1); });
  return (
    <p ref={() => fail('ref')}>
      {['drawing', 'insertion', 'layout', 'effect', 'cleanup', 'nested', 'ref'].map((here) => <button key={here} onClick={() => setPlace(here)}>{here}</button>)}
      <button onClick={() => { throw new Error('from the click'); }}>click</button>
      {place === 'cleanup' && <button onClick={() => setPlace('over')}>over</button>}
      <i>{place}</i>
    </p>
  );
}

const Colour = createContext('none');
const Named = memo(forwardRef<HTMLElement, { name: string }>(function Named({ name }, ref) {
  tell(`draws ${name} in ${useContext(Colour)}`);
  return <b ref={ref}>{name} {useContext(Colour)}</b>;
}));
const store = { value: 0, listeners: new Set<() => void>() };
const listen = (listener: () => void) => { store.listeners.add(listener); return () => store.listeners.delete(listener); };

function Tree() {
  const [items, setItems] = useState(['a', 'b', 'c', 'd']);
  const [colour, setColour] = useState('red');
  const [portal, setPortal] = useState<HTMLElement | null>(null);
  const count = useSyncExternalStore(listen, () => store.value);
  const named = useRef<HTMLElement>(null);
  const sorted = useMemo(() => items.join(''), [items]);
  useEffect(() => { tell(`effect ${sorted} ${named.current?.textContent}`); return () => tell(`cleanup ${sorted}`); }, [sorted]);
  const step = () => { setItems((old) => [...old.slice(2), old[0] ?? '', 'new']); setColour('blue'); store.value++; store.listeners.forEach((one) => one()); };
  return (
    <section onClick={(event) => tell(`section ${(event.target as HTMLElement).textContent}`)} onKeyDown={({ key }) => { tell(`key ${key}`); if (key === 'F2') step(); }} onMouseDown={() => tell('down')}>
      <button onClick={step}>step</button>
      <button onClick={() => { setTimeout(step); void Promise.resolve().then(step); }}>later</button>
      <button onClick={(event) => { event.stopPropagation(); setPortal(document.body.appendChild(document.createElement('aside'))); }}>portal</button>
      <Colour value={colour}><Named name="first" ref={named} /><Fragment><Named name="second" /></Fragment></Colour>
      <ul>{items.map((one, at) => <li key={one} className={at ? undefined : 'first'} style={at ? { order: at, marginTop: 3 } : {}}><input aria-label={one} defaultValue={one} /></li>)}</ul>
      {new Set([<i key="1">{count}</i>, null, 10n, 'text', false])}
      <svg viewBox="0 0 9 9"><title>chart</title><g strokeWidth={2}><path d="M0 0h9" /></g></svg>
      <details hidden={count > 1} aria-hidden={count > 0} data-count={count}><summary>more</summary></details>
      {portal && createPortal(<dialog open aria-label="above" onClose={() => tell('closed')}><button onClick={() => tell('inside')}>inside</button></dialog>, portal)}
    </section>
  );
}

const strange: Record<string, () => ReactNode> = {
  'a thrown promise': () => createElement(() => { throw Promise.resolve(1); }),
  'a promise': () => createElement(() => [Promise.resolve('late') as unknown as string]),
  'an object': () => createElement(() => ({ a: 1 }) as unknown as string),
  'a lazy child': () => createElement(() => ({ $$typeof: Symbol.for('react.lazy') }) as unknown as string),
  'a lazy part': () => createElement({ $$typeof: Symbol.for('react.lazy') } as unknown as string),
  'Suspense': () => createElement(Symbol.for('react.suspense') as unknown as string),
  'a resource': () => createElement('link', { rel: 'stylesheet', href: '/x.css' }),
  'a custom element': () => createElement('x-y'),
  'a ref on a fragment': () => createElement(Fragment, { ref: () => tell('ref of a fragment') } as object, 'in a fragment'),
  'an action': () => createElement('form', { action: () => tell('action') } as object),
};
class Quiet extends Component<{ children: ReactNode }, { why: string }> {
  override state = { why: '' };
  static getDerivedStateFromError(error: unknown) { return { why: text(error) }; }
  override render() { return this.state.why ? <p role="alert">{this.state.why}</p> : this.props.children; }
}

const values = ['', 'a', 'javascript:alert(1)', 0, 1, 2.5, NaN, true, false, null, undefined];
const tags = ['a', 'input', 'select', 'textarea', 'option', 'progress', 'dialog', 'details', 'img', 'td', 'p'];

/** Elements with each of these properties, which takes one kind of value after another. */
function Properties({ names }: { names: readonly string[] }) {
  const [step, setStep] = useState(0);
  const isLast = step === values.length - 1;
  useLayoutEffect(() => {
    tell(`${String(values[step])}: ${host.innerHTML}`);
    if (!isLast) setStep(step + 1);
  }, [step]);
  return [isLast && 'all told', names.map((name) => [
    ...tags.map((tag) => createElement(tag, { [name]: values[step], key: `${name} ${tag}` })),
    <svg key={name}><path {...{ [name]: values[step] }} /></svg>, <i key={`${name} style`} style={{ [name]: values[step] }} />,
  ])];
}

/** Elements that hear each of these events, and each event at each of them. */
function Events({ names }: { names: readonly string[] }) {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const native = (name: string) => ({ onDoubleClick: 'dblclick', onFocus: 'focusin', onBlur: 'focusout' })[name] ?? name.slice(2).toLowerCase();
    for (const element of host.children) for (const name of names) element.dispatchEvent(new Event(native(name), { bubbles: true, cancelable: true }));
    setOver(true);
  }, []);
  const listeners = (tag: string) => Object.fromEntries(names.map((name) => [name, (event: object) => tell(`${tag} ${name}: ${Object.keys(event).join(' ')}`)]));
  return [isOver && 'all told', ...['p', 'input', 'form', 'dialog', 'img'].map((tag) => createElement(tag, { key: tag, ...listeners(tag) }))];
}

const scenes: Record<string, (names: readonly string[]) => void> = {
  form: () => begin(<Form label="Name" />),
  'the same form drawn before': () => takeOver(<Form label="Name" />, <Form label="Name" />),
  'another text drawn before': () => takeOver(<Form label="Old" />, <Form label="New" />),
  'another element drawn before': () => takeOver(<Form label="Name"><p>old</p></Form>, <Form label="Name"><h3>new</h3></Form>),
  'less drawn before': () => takeOver(<Form label="Name" />, <Form label="Name"><h3>new</h3></Form>),
  'more drawn before': () => takeOver(<Form label="Name"><h3>old</h3></Form>, <Form label="Name" />),
  'a form drawn before and changed by a translator': () => {
    drawOnce(<Form label="Name" />, host);
    host.querySelector('label')?.replaceChildren(Object.assign(document.createElement('font'), { textContent: 'Nom 0' }));
    hydrate(<Form label="Name" />);
  },
  'a form that fails while it is taken over': () => {
    let times = 0;
    const Once = () => { if (!times++) throw new Error('only once'); return <h3>after all</h3>; };
    drawOnce(<Form label="Name"><h3>drawn</h3></Form>, host);
    hydrate(<Form label="Name"><Once /></Form>);
  },
  'a click on what is not yet taken over': () => {
    takeOver(<Form label="Name" />, <Form label="Name" />);
    host.querySelector('input')?.focus();
    host.querySelector('button')?.click();
  },
  fields: () => begin(<Fields />),
  thrower: () => begin(<Mishap><Thrower /></Mishap>),
  'thrower without a boundary': () => begin(<Thrower />),
  tree: () => begin(<Tree />),
  properties: (names) => begin(<Properties names={names} />),
  events: (names) => begin(<Events names={names} />),
  ...Object.fromEntries(Object.entries(strange).map(([name, make]) => [name, () => begin(<Quiet>{make()}</Quiet>)])),
};

declare global {
  var reactScenes: { draw(name: string, names?: readonly string[]): void; isDrawn(): boolean; end(): Promise<{ told: string[]; html: string }> };
}
globalThis.reactScenes = {
  draw: (name, names = []) => { isDrawn = false; scenes[name]?.(names); },
  isDrawn: () => isDrawn,
  /** What was told, and what stood there; the page is empty again. */
  async end() {
    await new Promise((resolve) => { requestAnimationFrame(() => setTimeout(resolve, 20)); });
    const html = document.body.innerHTML, focused = document.activeElement;
    if (focused instanceof HTMLInputElement) tell(`in ${focused.ariaLabel ?? focused.name} from ${focused.selectionStart} to ${focused.selectionEnd}`);
    root?.unmount();
    await new Promise((resolve) => { setTimeout(resolve); });
    document.querySelector('aside')?.remove();
    const left = host.innerHTML;
    host.replaceChildren();
    return { told: told.splice(0), html: `${html}${left && ` left: ${left}`}` };
  },
};
