import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { TOAST_MS } from '../../contract/constants';

export interface Toast {
  id: number;
  kind: 'success' | 'error' | 'info';
  text: string;
  /** A second line: the server's reason, or what the message is about. */
  detail?: string | undefined;
  of?: unknown;
}
export type ToastEvent = { type: 'shown'; toast: Toast } | { type: 'gone'; id: number };

/** A message that is shown is not repeated, but stays longer. What is said of an action removes its errors. */
export const toastsReducer = (toasts: Toast[], event: ToastEvent): Toast[] => {
  if (event.type === 'gone') return toasts.filter((toast) => toast.id !== event.id);
  const { kind, text, detail, of } = event.toast;
  const isOver = (old: Toast) =>
    (old.kind === 'error' && of && old.of === of) || (old.kind === kind && old.text === text && old.detail === detail);
  return [...toasts.filter((old) => !isOver(old)), event.toast];
};

type Options = Pick<Toast, 'detail' | 'of'> & { ms?: number | undefined };
/** Returns what takes the message away. */
type Show = (text: string, options?: Options) => () => void;
export type ShowToast = Record<Toast['kind'], Show>;
interface ToastValue {
  show: ShowToast;
  addHost(host: HTMLElement): () => void;
}
const ToastContext = createContext<ToastValue | null>(null);
const RegionContext = createContext<HTMLElement | null>(null);
let lastId = 0;

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, dispatch] = useReducer(toastsReducer, []);
  const [hosts, setHosts] = useState<readonly HTMLElement[]>([]);
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>());

  const value = useMemo<ToastValue>(() => {
    const show =
      (kind: Toast['kind']) =>
      (text: string, { ms = TOAST_MS, ...about }: Options = {}) => {
        const id = ++lastId;
        dispatch({ type: 'shown', toast: { id, kind, text, ...about } });
        const end = () => dispatch({ type: 'gone', id });
        timers.current.add(setTimeout(end, ms));
        return end;
      };
    return {
      show: { success: show('success'), error: show('error'), info: show('info') },
      addHost(host) {
        setHosts((old) => [...old, host]);
        return () => setHosts((old) => old.filter((other) => other !== host));
      },
    };
  }, []);
  useEffect(() => () => timers.current.forEach(clearTimeout), []);

  const host = hosts.at(-1);
  const region = <Region toasts={toasts} onPlace={setPlace} onGone={(id) => dispatch({ type: 'gone', id })} />;
  return (
    <ToastContext value={value}>
      <RegionContext value={place}>{children}</RegionContext>
      {host ? createPortal(region, host) : region}
    </ToastContext>
  );
}

type Props = { toasts: Toast[]; onPlace: (region: HTMLElement | null) => void; onGone: (id: number) => void };
/** The messages, in the top layer. It is there while empty, so that screen readers announce what is added. */
function Region({ toasts, onPlace, onGone }: Props) {
  const region = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    region.current?.showPopover?.();
    onPlace(region.current);
  }, [onPlace]);
  return (
    <div ref={region} className="toasts" popover="manual" role="region" aria-label="Messages">
      <div role="status" aria-live="polite" aria-atomic="false">
        {toasts.filter(({ kind }) => kind !== 'error').map(line)}
      </div>
      <div role="alert" aria-live="assertive" aria-atomic="false">
        {toasts.filter(({ kind }) => kind === 'error').map(line)}
      </div>
    </div>
  );

  function line({ id, kind, text, detail }: Toast) {
    return (
      <p key={id} className={`toast ${kind}`}>
        <span>{text}</span> <button type="button" className="close" aria-label="Dismiss" onClick={() => onGone(id)} />
        {detail && <small>{detail}</small>}
      </p>
    );
  }
}

/** The element in which messages are shown: further messages can be put there. */
export const useToastRegion = (): HTMLElement | null => useContext(RegionContext);

/** A wait of this many milliseconds is slow, and then this message is shown. */
export const SLOW_MS = 8000;
export const STILL_WAITING = 'Still waiting for the server…';
/** Shows a message when a wait becomes slow. Call the returned function when the wait is over. */
export function sayWhenSlow(toast: ShowToast): () => void {
  const timer = setTimeout(() => toast.info(STILL_WAITING), SLOW_MS);
  return () => clearTimeout(timer);
}

function useToasts(): ToastValue {
  const value = useContext(ToastContext);
  if (!value) throw new Error('useToast needs a <ToastProvider> above it');
  return value;
}
/** Shows a message for four seconds (docs/product.md, "Limits and constants"), or for longer if told. */
export const useToast = (): ShowToast => useToasts().show;

/** While a modal dialog is open the rest of the page is inert, so messages are shown inside the dialog. */
export function useToastHost(host: { current: HTMLElement | null }): void {
  const { addHost } = useToasts();
  useLayoutEffect(() => (host.current ? addHost(host.current) : undefined), [addHost, host]);
}
