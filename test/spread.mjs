// A new database on a coordinator of Citus and on each of its workers, made as docs/scaling.md says.
import pg from 'pg';

/** Whether the database of a URL has Citus. */
export async function isSpread(url) {
  return withClient(url, async (client) => {
    const { rows } = await client.query(`select 1 from pg_extension where extname = 'citus'`);
    return rows.length > 0;
  });
}

const OWNER = 'back_office_test';

/**
 * Creates an empty database beside that of the URL, a superuser's, on the same nodes; one of this name is dropped
 * before. Returns the environment of tests on it: its owner, who is no superuser and has the same password, and the
 * superuser.
 */
export async function spreadDatabase(url, name) {
  const nodes = await withClient(url, async (client) => {
    const { rows } = await client.query(
      `select groupid = 0 as is_coordinator, nodename as host, nodeport as port from pg_dist_node order by groupid`,
    );
    return rows;
  });
  const at = ({ is_coordinator, host, port }, database) => {
    const there = new URL(url);
    if (!is_coordinator) Object.assign(there, { hostname: host, port: String(port) });
    if (database) there.pathname = database;
    return there.href;
  };
  const owner = new URL(at(nodes[0], name));
  owner.username = OWNER;
  const makeOwner = `
    do $$ begin
      if not exists (select 1 from pg_roles where rolname = '${OWNER}') then
        create role ${OWNER} login password ${pg.escapeLiteral(decodeURIComponent(owner.password))};
      end if;
    end $$`;
  const quoted = pg.escapeIdentifier(name);
  for (const node of nodes) {
    await withClient(at(node), async (client) => {
      await client.query(`drop database if exists ${quoted} with (force)`);
      await client.query(makeOwner);
      await client.query(`create database ${quoted} owner ${OWNER} template template0`);
    });
    await withClient(at(node, name), (client) => client.query('create extension citus'));
  }
  await withClient(at(nodes[0], name), async (client) => {
    const { hostname, port } = new URL(url);
    const coordinator = nodes.find((node) => node.is_coordinator) ?? { host: hostname, port: Number(port || 5432) };
    await client.query('select citus_set_coordinator_host($1, $2)', [coordinator.host, coordinator.port]);
    for (const { is_coordinator, host, port: its } of nodes)
      if (!is_coordinator) await client.query('select citus_add_node($1, $2)', [host, its]);
  });
  return { DATABASE_URL: owner.href, SUPERUSER_URL: at(nodes[0], name) };
}

async function withClient(url, work) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
