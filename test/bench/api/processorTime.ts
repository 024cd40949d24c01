/** Processor time of a process and all it started, as Linux counts it. A busy machine delays work but adds none. */
import { readdirSync, readFileSync } from 'node:fs';

interface Used {
  node: number;
  database: number;
}
const TICK_MS = 10;

/** Milliseconds since their start; undefined where the system has none. The database is what the server started. */
export function processorTime(server: number): Used | undefined {
  const used: Used = { node: 0, database: 0 };
  const processes = new Map<number, { parent: number; ms: number }>();
  try {
    for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
      const fields = statOf(name)
        ?.replace(/^.*\) /, '')
        .split(' ');
      if (fields)
        processes.set(Number(name), {
          parent: Number(fields[1]),
          ms: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
        });
    }
  } catch {
    return undefined;
  }
  const isBelow = (pid: number): boolean => {
    const parent = processes.get(pid)?.parent;
    return parent !== undefined && (parent === server || isBelow(parent));
  };
  for (const [pid, { ms }] of processes) {
    if (pid === server) used.node += ms;
    else if (isBelow(pid)) used.database += ms;
  }
  return used;
}

function statOf(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined; // it has just ended
  }
}
