import type { AuditKind } from '../../contract/constants';
import { getErrorCode } from '../db/open';

/** A refusal with a message for the caller. Any other error becomes a 500 without its message. */
export class Problem extends Error {
  override name = 'Problem';
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 422 | 429 | 499 | 500 | 503;
  /** Seconds after which a retry makes sense. */
  readonly retryAfter: number | undefined;
  /** The `code` of the answer, where a client must distinguish this refusal from others with the same status. */
  readonly code: string | undefined;
  constructor(status: Problem['status'], detail: string, retryAfter?: number, code?: string) {
    super(detail);
    this.status = status;
    this.retryAfter = retryAfter;
    this.code = code;
  }
}

/** Too much is asked at the moment. Nothing was done and nothing is broken, so this is no error in the log. */
export const BUSY = 'busy';
export const busy = (detail: string) => new Problem(503, detail, 2, BUSY);
/** The client hung up before it was answered. Nobody receives this; it is for the log. */
export const clientGone = () => new Problem(499, 'The client has gone');
/** Somebody changed a row past the server. It is logged as an error and leaves an audit entry of its own. */
export class TamperingFound extends Problem {
  override name = 'TamperingFound';
  readonly row: { kind: AuditKind; id: number | null; tenant_id: number; player_id: number | null };
  constructor(detail: string, row: TamperingFound['row']) {
    super(409, detail);
    this.row = row;
  }
}

export const notFound = (what: string) => new Problem(404, `${what} not found`);
/** Missing rights are always 403, never 401: a 401 ends the session in the browser. */
export const tenantViolation = () => new Problem(403, 'Tenant access violation');

/** Runs a statement; where it fails with this SQLSTATE, it is refused. */
export async function orRefuse<T>(statement: PromiseLike<T>, code: string, refusal: () => Problem): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    throw getErrorCode(error) === code ? refusal() : error;
  }
}
/** Runs a write; a violated unique constraint becomes a 409 with this message. */
export const orConflict = <T>(write: PromiseLike<T>, detail: string): Promise<T> =>
  orRefuse(write, '23505', () => new Problem(409, detail));
