import { Fragment, isValidElement, __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE as internals, type ReactNode } from 'react';

declare module 'react' {
  /** Where React's hooks are while something draws; React DOM and its server renderer put theirs here. */
  const __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: { H: object | null };
}

const nothing = () => undefined;
const once = (value: unknown) => (typeof value === 'function' ? value() : value);
let ids = 0;
/** The hooks of a first draw: every state is at its beginning, nothing has an effect. */
const hooks = {
  useState: (initial: unknown) => [once(initial), nothing],
  useReducer: (_: unknown, initial: unknown, init?: (initial: unknown) => unknown) => [init ? init(initial) : initial, nothing],
  useMemo: (make: () => unknown) => make(),
  useCallback: (callback: unknown) => callback,
  useRef: (current: unknown) => ({ current }),
  useContext: (context: { _currentValue: unknown }) => context._currentValue,
  useSyncExternalStore: (_: unknown, snapshot: () => unknown) => snapshot(),
  useId: () => `first${ids++}`,
  useEffect: nothing, useLayoutEffect: nothing, useInsertionEffect: nothing, useDebugValue: nothing,
  useEffectEvent: (callback: unknown) => callback,
};

/**
 * Draws a tree of components into `host` as React DOM would the first time, in the little that is needed for that: no updates, effects or events.
 * React DOM then takes the page over as if a server had drawn it. Throws what a component throws.
 */
export function drawOnce(tree: ReactNode, host: Element): void {
  const drawn = document.createDocumentFragment(), before = internals.H;
  internals.H = hooks;
  try {
    append(drawn, tree);
  } finally {
    internals.H = before;
  }
  host.replaceChildren(drawn);
}

function append(parent: Node, node: unknown): void {
  if (typeof node === 'string' || typeof node === 'number') {
    if (node !== '') parent.appendChild(document.createTextNode(String(node)));
  } else if (Array.isArray(node)) {
    for (const child of node) append(parent, child);
  } else if (isValidElement<Record<string, unknown>>(node)) {
    const { type, props } = node;
    if (typeof type === 'string') parent.appendChild(elementOf(type, props));
    else component(parent, type, props);
  }
}

const has = <K extends string>(thing: unknown, key: K): thing is Record<K, unknown> => typeof thing === 'object' && thing !== null && key in thing;

function component(parent: Node, type: unknown, props: Record<string, unknown>): void {
  if (type === Fragment) append(parent, props['children']);
  else if (typeof type === 'function') append(parent, type.prototype?.isReactComponent ? Reflect.construct(type, [props]).render() : type(props));
  else if (has(type, '_currentValue')) { // a context
    const outer = type._currentValue;
    type._currentValue = props['value'];
    try {
      append(parent, props['children']);
    } finally {
      type._currentValue = outer; // else the next draw, and React after it, would begin inside this one
    }
  } else if (has(type, 'render') && typeof type.render === 'function') append(parent, type.render(props, null)); // forwardRef
  else if (has(type, 'type')) component(parent, type.type, props); // memo
  else throw new Error('a kind of component that is not drawn before React');
}

const names: Readonly<Record<string, string>> = { className: 'class', htmlFor: 'for', defaultValue: 'value', defaultChecked: 'checked' };

function elementOf(tag: string, props: Record<string, unknown>): HTMLElement {
  const element = document.createElement(tag);
  for (const name in props) {
    if (name === 'children' || name === 'ref' || name === 'autoFocus' || (name === 'value' && tag === 'select')) continue;
    const value = props[name];
    if (typeof value === 'string' || typeof value === 'number' || (typeof value === 'boolean' && /^(aria|data)-/.test(name))) element.setAttribute(names[name] ?? name, String(value));
    else if (value === true) element.setAttribute(names[name] ?? name, '');
  }
  append(element, props['children']);
  if (tag === 'select' && 'value' in element) element.value = String(props['value'] ?? '');
  return element;
}
