/** A primary with a synchronous standby. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { openDatabase } from '../../src/server/db/open';
import { eventually } from '../server/running';
import { type Node, OWNER, openNodes } from './nodes';

const APP = 'office';

/** `folder` must be one that the user nobody may enter. */
export async function startCluster(folder: string) {
  const { add, initialize, password, tool, url } = openNodes(folder),
    primary = await add('primary'),
    standby = await add('standby');
  const cluster = {
    primary,
    standby,
    /** A URL of the role that owns the database, at these nodes. */
    url: (...nodes: Node[]) => url(APP, nodes, APP),
    /** The standby as its owner. */
    asOwner: (node: Node) => openDatabase(url(OWNER, [node], APP), { poolSize: 2 }),
    promote: () => tool('pg_ctl', 'promote', '-D', standby.data, '-s'),
    async stop() {
      await Promise.all([primary.stop('SIGQUIT'), standby.stop('SIGQUIT')]);
    },
  };
  try {
    initialize(primary);
    await primary.start();
    const db = await openDatabase(url(OWNER, [primary], 'postgres'), { poolSize: 2 });
    await db.sql.unsafe(`create role ${APP} login password '${password}'`);
    await db.sql.unsafe(`create database ${APP} owner ${APP}`);
    tool('pg_basebackup', '-h', '127.0.0.1', '-p', String(primary.port), '-U', OWNER, '-D', standby.data, '-R',
      '-c', 'fast', '--no-sync'); // biome-ignore format: as it is typed
    await standby.start();
    // Only now, and not in what the standby was copied from: it waits for nobody once it is the primary.
    appendFileSync(join(primary.data, 'postgresql.conf'), "\nsynchronous_standby_names = '*'\n");
    await db.sql`select pg_reload_conf()`;
    const isSync = async () => (await db.sql`select from pg_stat_replication where sync_state = 'sync'`).length === 1;
    assert.ok(await eventually(isSync, 20), 'the standby follows');
    await db.close();
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}
export type Cluster = Awaited<ReturnType<typeof startCluster>>;
