import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Logger } from 'pino';
import { UNKNOWN_OUTCOME } from '../../contract/constants';
import { BUSY, Problem, TamperingFound } from '../core/problem';
import { isInClosedMonth, isTimeout, isUnavailable, UnknownOutcome } from '../db/open';

const codes: Record<Problem['status'], string> = {
  400: 'refused',
  401: 'not_signed_in',
  403: 'not_allowed',
  404: 'not_found',
  405: 'wrong_method',
  409: 'conflict',
  413: 'too_large',
  422: 'invalid',
  429: 'too_many',
  499: 'client_gone',
  500: 'internal',
  503: 'unavailable',
};

/** Answers with `{ detail, code, request_id }`. The message of an unexpected error is logged and not sent. */
export function errorResponse(error: Error, c: Context, requestId: string, log: Logger): Response {
  const problem = toProblem(error);
  if (!problem || (problem.status >= 500 && problem.code !== BUSY)) {
    const message = !problem
      ? 'unexpected error'
      : problem === error
        ? problem.message
        : problem.status === 503
          ? 'database unavailable'
          : 'unknown outcome of a write';
    log.error({ request_id: requestId, path: c.req.routePath, err: error }, message);
  }
  if (error instanceof TamperingFound) {
    const { kind, id, tenant_id } = error.row;
    log.error(
      { request_id: requestId, path: c.req.routePath, kind, id, tenant_id },
      'a row was changed past the server',
    );
  }
  c.header('X-Request-Id', requestId);
  c.header('Cache-Control', 'no-store');
  if (problem?.status === 401) c.header('WWW-Authenticate', 'Bearer');
  if (problem?.retryAfter) c.header('Retry-After', String(problem.retryAfter));
  const status = problem?.status ?? 500;
  const detail = problem?.message ?? 'Internal server error';
  return c.json(
    { detail, code: problem?.code ?? codes[status], request_id: requestId },
    status as ContentfulStatusCode,
  );
}

function toProblem(error: Error): Problem | null {
  if (error instanceof Problem) return error;
  if (error instanceof UnknownOutcome) {
    const detail = 'It is not known whether this was done. Look first before you do it again.';
    return new Problem(500, detail, undefined, UNKNOWN_OUTCOME);
  }
  if (isInClosedMonth(error)) return new Problem(409, 'It belongs to a month whose books are closed');
  if (isUnavailable(error)) return new Problem(503, 'The database cannot be reached at the moment', 2);
  if (isTimeout(error)) return new Problem(503, 'The database is too busy at the moment', 2);
  return null;
}
