/** The answer of a call with a file: streamed, entered in the audit log, and told to the rules of notifications. */
import type { Context } from 'hono';
import type { Logger } from 'pino';
import type { CallName } from '../contract/calls';
import type { TenantQuery } from '../contract/entities';
import { hideTypedFilters } from './audit/personal';
import type { Ctx } from './core/context';
import type { CsvFile } from './core/csv';
import type { FairQueue } from './core/fairQueue';
import { tenantScope } from './core/tenancy';
import type { Database, Sql } from './db/open';
import { streamCsv } from './http/csvResponse';
import type { Env } from './http/requestLog';
import { notifyLargeExport } from './notifications/immediateRules';

type File = ReadableStream<Uint8Array>;

export interface CsvCall {
  ctx: Pick<Ctx<CallName>, 'caller' | 'services' | 'turn' | 'limits' | 'audit' | 'inTransaction'>;
  query: TenantQuery;
  log: Logger;
  /** Has no time limit and no turn. */
  wholeDb: Database;
  make: (sql: Sql) => Promise<CsvFile>;
  /** Throws once the caller may no longer have the file. */
  stillMay: () => Promise<void>;
  /** Streams from the database that is to be read. */
  read: (stream: (from: Database, connections: FairQueue) => Promise<File>) => Promise<File>;
}

export async function answerCsv(
  c: Context<Env>,
  name: CallName,
  { ctx, query, log, wholeDb, make, stillMay, read }: CsvCall,
): Promise<Response> {
  const { caller, services, turn, limits, audit, inTransaction } = ctx;
  const list = name.replace('export', '').toLowerCase();
  const headers = {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${list}.csv"`,
    'Cache-Control': 'no-store',
  };
  // the file waits for its reader, and a HEAD request has none
  if (c.req.method === 'HEAD') return c.body(null, 200, headers);
  const tenant_id = tenantScope(caller, query.tenant_id);
  const exported = { tenant_id, email: caller.email, list, request_id: c.get('requestId') };
  const onEnd = (rows: number) =>
    void wholeDb
      .tx((sql) => notifyLargeExport(sql, { ...exported, rows }))
      .catch((error: unknown) => log.warn({ err: error }, 'an export could not be compared with the rules'));
  const file = await read((from, connections) =>
    streamCsv({ db: from, log, limits: { ...limits, connections }, stillMay, onEnd }, turn, make),
  );
  // The audit entry of an export is written before the first row leaves.
  const filters = hideTypedFilters(services.secrets, { ...query, tenant_id: undefined });
  await inTransaction(async () => audit.about({ kind: 'export', id: null, tenant_id, after: filters })).catch(
    (error: unknown) => {
      void file.cancel(error);
      throw error;
    },
  );
  return c.body(file, 200, headers);
}
