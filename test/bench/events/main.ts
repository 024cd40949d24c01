/** What events cost, how fast they leave, and whether they came in order (docs/integrations.md, "Events"). */
import { parseArgs } from 'node:util';
import { deliverDue } from '../../../src/server/notifications/deliver';
import { publishEvents, setKeepsEvents } from '../../../src/server/notifications/publishEvents';
import { newKey } from '../../integrations';
import { topUp } from '../../seed';
import { startWebServer } from '../../server/notifications/receivers';
import { as, db, pam, reset, services, sql } from '../../world';
import { processorTime } from '../api/processorTime';

const OF_A_ROUND = 100;

/** `--rounds`: how often settlements are measured with events, and without. */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { rounds: { type: 'string', default: '20' } } });
  await begin();
  await measureSettlements(Number(values.rounds));
  await begin();
  await measureDeliveries();
  await begin();
  return (await keepOrder()) ? 0 : 1;
}

async function begin(): Promise<void> {
  await reset();
  services.outgoing = { hasEmail: false, mayBeOwn: true };
}

const databaseMs = () => processorTime(process.pid)?.database ?? NaN;
const say = (line: string) => process.stdout.write(`${line}\n`);

/** Rounds with events and without take turns; the least of each is what the machine's noise adds nothing to. */
async function measureSettlements(rounds: number): Promise<void> {
  await newKey('ann', ['events:read']);
  const ann = await as('ann');
  const used = { without: [] as number[], with: [] as number[], publishing: [] as number[] };
  for (let round = 0; round < 2 * rounds; round++) {
    const hasEvents = round % 2 === 1;
    const made: number[] = [];
    for (let n = 0; n < OF_A_ROUND; n++) made.push(await topUp(pam, '1'));
    if (hasEvents) await setKeepsEvents(sql, 2);
    else await sql`update tenants set keeps_events = null where id = 2`;
    const before = databaseMs();
    for (const id of made) await ann.changePurchaseStatus({ id, body: { status: 'success' } });
    const after = databaseMs();
    used[hasEvents ? 'with' : 'without'].push((after - before) / OF_A_ROUND);
    if (!hasEvents) continue;
    await publishEvents(db);
    used.publishing.push((databaseMs() - after) / OF_A_ROUND);
  }
  const median = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? NaN;
  const [without, withEvents, publishing] = [used.without, used.with, used.publishing].map(median);
  say(`Settlements, ms of the database's processor time each, the median of ${rounds} rounds of ${OF_A_ROUND}:`);
  say(
    `  without events ${without?.toFixed(2)}, with ${withEvents?.toFixed(2)}; to number an event ${publishing?.toFixed(2)}`,
  );
}

async function addTenant(name: string, urls: readonly string[]): Promise<number> {
  const sue = await as('sue');
  const { id } = await sue.createTenant({ body: { name } });
  for (const target of urls) await sue.addNotificationChannel({ body: { tenant_id: id, kind: 'events', target } });
  return id;
}
const addPlayers = (tenant: number, count: number) => sql<{ id: number }[]>`
  insert into players (tenant_id, email, first_name)
  select ${tenant}, 'p' || n || '@mail.test', '0' from generate_series(1, ${count}::int) n returning id`;
const deliver = () => deliverDue({ db, secrets: services.secrets, mayBeOwn: true });

async function measureDeliveries(): Promise<void> {
  const receiver = await startWebServer();
  const tenants: number[] = [];
  for (let n = 0; n < 10; n++)
    tenants.push(
      await addTenant(
        `T${n}`,
        [1, 2, 3, 4, 5].map((part) => `${receiver.url}/${n}/${part}`),
      ),
    );
  for (const tenant of tenants) await addPlayers(tenant, 100);
  await publishEvents(db);
  const began = performance.now();
  const count = await deliver();
  const seconds = (performance.now() - began) / 1000;
  say(`Deliveries to 50 endpoints: ${count} in ${seconds.toFixed(1)} s, ${(count / seconds).toFixed(0)} a second`);
  receiver.close();
}

/** Eight writers rename a hundred players, a hundred times each, while the events leave. */
async function keepOrder(): Promise<boolean> {
  const receiver = await startWebServer();
  const tenant = await addTenant('Busy', [`${receiver.url}/all`]);
  const players = (await addPlayers(tenant, 100)).map(({ id }) => id);
  const began = performance.now();
  let isWriting = true;
  let most = 0;
  const size = async () => (await sql<{ size: number }[]>`select pg_table_size('event_outbox') as size`)[0]?.size ?? 0;
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let name = 1; name <= 100; name++)
      for (const id of players.filter((one) => one % 8 === writer))
        await sql`update players set first_name = ${String(name)} where tenant_id = ${tenant} and id = ${id}`;
  });
  const sending = (async () => {
    for (let moved = 1; isWriting || moved; ) {
      moved = await publishEvents(db);
      await deliver();
      most = Math.max(most, await size());
    }
  })();
  await Promise.all(writers);
  isWriting = false;
  await sending;
  const seconds = (performance.now() - began) / 1000;
  const all = receiver.received.map(({ body }) => JSON.parse(body).data);
  const last = new Map<number, number>();
  let late = 0;
  for (const { id: player, first_name: name } of all) {
    if (Number(name) !== (last.get(player) ?? -1) + 1) late++;
    last.set(player, Number(name));
  }
  say(`One tenant, one endpoint: ${all.length} events in ${seconds.toFixed(0)} s, ${late} out of their order or twice`);
  say(`The outbox took ${(most / 1024).toFixed(0)} kB at most`);
  receiver.close();
  return all.length === 10_100 && late === 0;
}
