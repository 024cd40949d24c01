/** A database of its own, reached by the servers of a proof over a line on which something can happen. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Embedded, startEmbedded } from '../../src/server/db/embedded/embedded';
import { type Database, openDatabase, type Sql } from '../../src/server/db/open';
import { killTree, newFolder, type Running } from '../server/running';
import { serverEnv, startServer } from './marks';

export interface Behind<Line> {
  /** Another way to the database. */
  db: Database;
  line: Line;
  /** Starts a server, in place of the one with this number if there is one. */
  start(env?: Record<string, string>, n?: number): Promise<Running>;
}

/** Does `work`, then ends what was started. `poolSize`: for so many connections; `query`: of the database's URL. */
export async function behindLine<Line extends { port: number; close(): void }>(
  open: (socket: string, sql: Sql) => Promise<Line>,
  work: (behind: Behind<Line>) => Promise<unknown>,
  { poolSize, query = '' }: { poolSize?: number; query?: string } = {},
): Promise<void> {
  const folder = newFolder('behind-line'),
    servers: Running[] = [];
  let embedded: Embedded | undefined, db: Database | undefined, line: Line | undefined;
  try {
    embedded = await startEmbedded({ folder: join(folder, 'data'), ...(poolSize && { poolSize }) });
    db = await openDatabase(embedded.address, { poolSize: 4 });
    const { user, database, socketFolder, port } = embedded.address;
    line = await open(`${socketFolder}/.s.PGSQL.${port}`, db.sql);
    const url = `postgres://${user}@127.0.0.1:${line.port}/${database}${query}`;
    const start = async (env = {}, n = servers.length) => {
      servers[n] = await startServer({ env: { ...serverEnv, DATABASE_URL: url, ...env } });
      return servers[n];
    };
    await work({ db, line, start });
  } finally {
    for (const { pid } of Object.values(servers)) killTree(pid);
    await Promise.all(Object.values(servers).map(({ ended }) => ended));
    line?.close();
    await db?.close();
    await embedded?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
