import { type Logger, pino } from 'pino';
import type { Settings } from './settings';

export type Log = Logger;

/** Writes JSON lines to standard output. Callers log path patterns and numbers, never bodies, headers or queries. */
export const createLog = (level: Settings['logLevel']): Log =>
  pino({ level, base: undefined, serializers: { err: plainError }, timestamp: pino.stdTimeFunctions.isoTime });

/** An error without the row that it concerns: detail and parameters of a database error contain personal data. */
function plainError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  const facts = Object.fromEntries(
    ['code', 'constraint', 'table', 'column', 'routine'].flatMap((key) => {
      const value: unknown = Reflect.get(error, key);
      return typeof value === 'string' ? [[key, value]] : [];
    }),
  );
  return { name, message, ...facts, stack, ...(cause === undefined ? {} : { cause: plainError(cause) }) };
}
