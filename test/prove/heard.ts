/** A receiver of events beside a server that is killed: nothing that was committed is lost, and the order holds. */
import { createServer } from 'node:http';
import * as assert from 'uvu/assert';
import type { Sql } from '../../src/server/db/open';
import { openPort, shut } from '../openPort';
import { eventually } from '../server/running';

export async function startReceiver() {
  const heard = new Map<number, number>(); // how often each number came
  const firsts = new Map<number, number[]>(); // of a player, in the order in which they first came
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { data } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      const id = Number(String(request.headers['webhook-id']).split('_')[2]);
      const player: number = data.player?.id ?? 0;
      if (!heard.has(id)) firsts.set(player, [...(firsts.get(player) ?? []), id]);
      heard.set(id, (heard.get(id) ?? 0) + 1);
      response.end();
    });
  });
  const port = await openPort(server);
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => shut(server),
    /** Expects a server that runs, and that nothing else is written. Returns how many came, and how many again. */
    async check(sql: Sql): Promise<{ events: number; repeats: number }> {
      await eventually(async () => {
        await sql`
          update notification_deliveries set next_at = now()
          where status = 'waiting' and last_at < now() - interval '10 seconds'`; // whose server was killed
        const [left] = await sql<{ count: number }[]>`
          select (select count(*) from event_outbox)::int
            + (select count(*) from notification_deliveries where status = 'waiting')::int as count`;
        return left?.count === 0;
      });
      const events = await sql<{ id: number }[]>`select id from events order by id`;
      assert.equal(
        [...heard.keys()].sort((a, b) => a - b),
        events.map(({ id }) => id),
      );
      for (const [player, ids] of firsts)
        assert.equal(
          ids,
          ids.toSorted((a, b) => a - b),
          `player ${player}`,
        );
      const differ = await sql`
        select kind, rows, told from (
          select 'redeem.created' as kind, count(*) as rows from redeems
          union all select 'redeem.settled', count(*) from redeems where status <> 'pending'
          union all select 'return.created', count(*) from transactions where transaction_type = 'RETURN'
          union all select 'return.settled', count(*) from transactions
            where transaction_type = 'RETURN' and status <> 'pending'
          union all select 'player.created', count(*) from players where email like 'mark%'
        ) made left join (select kind, count(*) as told from events group by kind) told using (kind)
        where rows <> coalesce(told, 0)`;
      assert.equal([...differ], []);
      return { events: events.length, repeats: [...heard.values()].reduce((sum, times) => sum + times - 1, 0) };
    },
  };
}
