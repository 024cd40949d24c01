import type { Answer, CallName, CallSpec, Input } from '../../contract/calls';
import { VERSION_HEADER } from '../../contract/version';
import { parseAnswer, parseRefusal } from './parse';

/** A failed call. `detail` is the server's message, if it sent one. Status 0: the server did not answer. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  readonly detail: string | undefined;
  readonly code: string | undefined;
  /** The request had an `Idempotency-Key`, so it may be sent again. */
  readonly hasKey: boolean;
  constructor(
    status: number,
    detail?: string,
    { cause, code, hasKey = false }: { cause?: unknown; code?: string | undefined; hasKey?: boolean } = {},
  ) {
    super(detail ?? `HTTP ${status}`, { cause });
    this.status = status;
    this.detail = detail;
    this.code = code;
    this.hasKey = hasKey;
  }
  /** The server asks for a two-factor code: the session has not ended and the password was right. */
  get asksCode(): boolean {
    return this.status === 401 && this.code === 'second_factor';
  }
}

export interface SendOptions {
  signal?: AbortSignal | undefined;
  /** The call continues after the page is closed. */
  keepalive?: boolean;
  /** Sent with calls that must not happen twice (`once` in the table of calls). The server must offer it. */
  idempotencyKey?: string;
}

/** One typed function per call: `api.createTenant({ body })`, `api.listTenants({}, { signal })`. */
export type Api<Name extends CallName = CallName> = {
  [N in Name]: (
    ...input: Record<never, never> extends Input<N>
      ? [input?: Input<N>, options?: SendOptions]
      : [input: Input<N>, options?: SendOptions]
  ) => Promise<Answer<N>>;
};

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface ApiOptions {
  /** Prefix for every path, e.g. 'https://host' or '/backoffice'. Default: same origin. */
  base?: string;
  fetch?: Fetch;
  token?: () => string | null;
  /** Waits while another token is being put in place. */
  whenReplaced?: () => Promise<unknown>;
  /**
   * Called when the session has ended: on a 401 (docs/product.md, "Messages"), or when the server allows only the
   * two-factor set-up. Not called for a failed login, or when another session has started since.
   */
  onExpired?: () => void;
  /** Called with the version of the server, if it tells one. */
  onVersion?: (version: string) => void;
  /** Called when the server refused a call for a permission that the user no longer has. */
  onMissingPermission?: () => void;
  /** Before a read is retried once, in milliseconds. */
  retryAfter?: number;
}

/** Makes one call and returns its parsed answer. */
export type Send = (call: CallSpec, input: Record<string, unknown>, options: SendOptions) => Promise<unknown>;

/** Longer than the server takes to answer. Only a call with a key is given up, because it can be sent again. */
const KEYED_MS = 40_000;

export function createSend({
  base = '',
  fetch = globalThis.fetch.bind(globalThis),
  token = () => null,
  whenReplaced,
  onExpired,
  onVersion,
  onMissingPermission,
  retryAfter = 600,
}: ApiOptions = {}): Send {
  /** The error that a refusal becomes, after telling what it means for the session. */
  async function refuse(
    call: CallSpec,
    { status, text, session, hasKey }: { status: number; text: string; session: string | null; hasKey: boolean },
  ): Promise<ApiError> {
    const { detail, code } = parseRefusal(text);
    const error = new ApiError(status, detail, { code, hasKey });
    if (endsSession(error) && !call.path.includes('/auth/login')) {
      await whenReplaced?.();
      if (session === token()) onExpired?.();
    }
    if (code === 'missing_permission') onMissingPermission?.();
    if (status === 403) console.warn(detail ?? 'Tenant access violation');
    return error;
  }

  return async (call, input, { signal: given, keepalive, idempotencyKey }) => {
    const { body, ...rest } = input;
    const isOpen = call.who === 'anyone' || call.who === 'checkout'; // these send no token
    const session = token();
    const key = call.isOnce ? idempotencyKey : undefined,
      hasKey = !!key;
    const signal = hasKey ? AbortSignal.timeout(KEYED_MS) : given;
    const url = base + buildUrl(call.path, rest, { keepBlank: call.method !== 'GET' });
    const init: RequestInit = {
      method: call.method,
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(session && !isOpen && { Authorization: `Bearer ${session}` }),
        ...(key && { 'Idempotency-Key': key }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      ...(signal && { signal }),
      ...(keepalive && { keepalive }),
    };
    const exchange = async () => {
      const response = await fetch(url, init);
      const version = response.headers.get(VERSION_HEADER);
      if (version) onVersion?.(version);
      if (response.ok && call.answer === 'csv') return { response, text: '', file: await response.blob() };
      return { response, text: await response.text(), file: undefined };
    };
    const tries = call.method === 'GET' ? { retryAfter, signal } : null;
    const { response, text, file } = await tryAgain(exchange, tries).catch((cause: unknown) => {
      throw new ApiError(0, undefined, { cause, hasKey });
    });

    if (response.ok) {
      try {
        return parseAnswer(call, { status: response.status, text, file });
      } catch (cause) {
        throw new ApiError(response.status, undefined, { cause, hasKey });
      }
    }
    throw await refuse(call, { status: response.status, text, session, hasKey });
  };
}

/** An account that must set up two-factor sign-in does so right after the next sign-in. */
const endsSession = (error: ApiError): boolean =>
  error.status === 401 ? !error.asksCode : error.code === 'second_factor_setup';

/** A read whose answer did not come is made once more. */
async function tryAgain<T>(
  exchange: () => Promise<T>,
  again: { retryAfter: number; signal: AbortSignal | undefined } | null,
): Promise<T> {
  try {
    return await exchange();
  } catch (error) {
    if (!again || again.signal?.aborted) throw error;
    await pause(again.retryAfter, again.signal);
    if (again.signal?.aborted) throw error;
    return exchange();
  }
}

const pause = (ms: number, signal: AbortSignal | undefined) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });

/** Fills `{id}` and the like; the rest becomes the query. Empty values are left out, or clear it with `keepBlank`. */
export function buildUrl(path: string, input: object, { keepBlank = false } = {}): string {
  const values = new Map<string, unknown>(Object.entries(input));
  const query = new URLSearchParams();
  const filledPath = path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(values.get(key))));
  for (const [key, value] of values) {
    if (!path.includes(`{${key}}`) && value !== undefined && value !== null && (value !== '' || keepBlank))
      query.set(key, String(value));
  }
  return query.size ? `${filledPath}?${query}` : filledPath;
}
