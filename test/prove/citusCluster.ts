/** A coordinator of Citus with two workers. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, openDatabase } from '../../src/server/db/open';
import { type Node, OWNER, openNodes } from './nodes';

/** What every node needs (docs/scaling.md, "Citus"). */
const settings = `
shared_preload_libraries = 'citus'
max_prepared_transactions = 200
timezone = 'UTC'
max_connections = 200
citus.shard_count = 2
citus.node_conninfo = 'sslmode=prefer'
`;
const DATABASE = 'back_office';

export interface CitusNode extends Node {
  /** As its superuser. */
  db: Database;
}

/** `folder` must be one that the user nobody may enter; `more`: settings of every node. */
export async function startCitus(folder: string, more: string) {
  const { add, initialize, password, url } = openNodes(folder),
    nodes: CitusNode[] = [];
  const stop = async () => {
    await Promise.all(nodes.map(({ db }) => db.close()));
    await Promise.all(nodes.map((node) => node.stop('SIGQUIT')));
  };
  try {
    for (const name of ['coordinator', 'worker 1', 'worker 2']) {
      const node = await add(name);
      initialize(node);
      appendFileSync(join(node.data, 'postgresql.conf'), settings + more);
      await node.start();
      const first = await openDatabase(url(OWNER, [node], 'postgres'), { poolSize: 1, allowUnsafe: true });
      await first.sql.unsafe(`create role ${DATABASE} login password '${password}'`);
      await first.sql.unsafe(`create database ${DATABASE} owner ${DATABASE}`);
      await first.close();
      const db = await openDatabase(url(OWNER, [node], DATABASE), { poolSize: 2, allowUnsafe: true });
      nodes.push({ ...node, db });
      await db.sql`create extension citus`;
    }
    const [coordinator, ...workers] = nodes;
    if (!coordinator) throw new Error('there is no node');
    const { sql } = coordinator.db;
    await sql`select citus_set_coordinator_host('127.0.0.1', ${coordinator.port}::int)`;
    for (const { port } of workers) await sql`select citus_add_node('127.0.0.1', ${port}::int)`;
    const [found] = await sql<{ version: string }[]>`
      select 'PostgreSQL ' || split_part(current_setting('server_version'), ' ', 1) || ' with Citus '
        || split_part(citus_version(), ' ', 2) as version`;
    const superuserUrl = url(OWNER, [coordinator], DATABASE);
    /** Of the owner of the database, who is no superuser, at the coordinator. */
    const ownerUrl = url(DATABASE, [coordinator], DATABASE);
    return { coordinator, workers, url: ownerUrl, superuserUrl, version: found?.version ?? '', stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
export type CitusCluster = Awaited<ReturnType<typeof startCitus>>;
