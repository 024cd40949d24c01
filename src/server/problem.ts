/** A refusal the caller may read. Anything else that is thrown becomes a 500 without its words. */
export class Problem extends Error {
  override name = 'Problem';
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 422 | 429 | 503;
  /** Seconds after which it is worth trying again. */
  readonly retryAfter: number | undefined;
  /** What the answer's `code` says, where a client must tell this refusal from others of its status. */
  readonly code: string | undefined;
  constructor(status: Problem['status'], detail: string, retryAfter?: number, code?: string) {
    super(detail);
    this.status = status;
    this.retryAfter = retryAfter;
    this.code = code;
  }
}

export const notFound = (what: string) => new Problem(404, `${what} not found`);
/** Rights are always 403, never 401: a 401 ends the session in the browser. */
export const tenantViolation = () => new Problem(403, 'Tenant access violation');

/** Runs a write; a row that breaks a unique rule is a 409 in these words. */
export async function orConflict<T>(write: PromiseLike<T>, detail: string): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '23505') throw new Problem(409, detail);
    throw error;
  }
}
