/** Where each shard of the log ends. They leave the machine with the server's logs, so a log that was cut shows. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Sql } from '../db/open';

export const HEADS_FIELD = 'audit_heads';
/** 128 bits of the MAC of the last entry. */
const MAC_BYTES = 16;
const formatMac = (mac: Buffer): string => mac.subarray(0, MAC_BYTES).toString('base64url');

/** The heads as text, 'shard:position:MAC' for each shard that has entries. */
export async function readHeads(sql: Sql): Promise<string> {
  const ends = await sql<{ lane: number; position: number; last_seal: Buffer }[]>`
    select lane, position, last_seal from audit_lanes where position > 0 order by lane`;
  return ends.map(({ lane, position, last_seal }) => `${lane}:${position}:${formatMac(last_seal)}`).join(' ');
}

/** Heads by shard and position. A position has several MACs only if somebody rewrote the log, or the file. */
export type Heads = ReadonlyMap<number, ReadonlyMap<number, ReadonlySet<string>>>;

const HEAD = /(?<![\w:-])(\d{1,2}):(\d{1,15}):([\w-]{22})(?![\w:-])/g;

/** Reads heads from a log of the server, or from a file that has nothing else. Other lines are skipped. */
export async function readHeadsFile(file: string): Promise<Heads> {
  const heads = new Map<number, Map<number, Set<string>>>();
  for await (const line of createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity })) {
    if (!line.includes(HEADS_FIELD) && line.replace(HEAD, '').trim() !== '') continue;
    for (const [, shard, position, mac = ''] of line.matchAll(HEAD)) {
      const ofShard = heads.get(Number(shard)) ?? new Map<number, Set<string>>();
      heads.set(Number(shard), ofShard);
      ofShard.set(Number(position), (ofShard.get(Number(position)) ?? new Set()).add(mac));
    }
  }
  return heads;
}

export const countHeads = (heads: Heads): number => [...heads.values()].reduce((sum, { size }) => sum + size, 0);

/** Whether an entry is the one that a head names. */
export const isHead = (macs: ReadonlySet<string>, seal: Buffer): boolean =>
  macs.size === 1 && macs.has(formatMac(seal));
