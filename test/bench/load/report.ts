/** From measurements to a table one can read. */
import type { Times, Weight } from './visit';

export interface Measured { login: Weight; users: Weight; times: Times[] }
interface Line { about: string; values: [number, number]; unit: 'kB' | '' | 'ms'; /** At most this much of the bare page. */ ratio?: number; /** At most this much. */ most?: number }

/** The middle value; of an even count the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b), middle = sorted.length / 2;
  const high = sorted[Math.floor(middle)] ?? NaN, low = sorted[Math.ceil(middle) - 1] ?? NaN;
  return (high + low) / 2;
}

/** The table of both pages, ours first; `isMissed` when any goal is. */
export function report([ours, bare]: Measured[], runs: number, browser: string): { text: string; isMissed: boolean } {
  if (!ours || !bare) throw new Error('two pages are compared');
  const kB = ({ bytes }: Weight) => bytes / 1000;
  const of = (key: keyof Times): [number, number] => [median(ours.times.map((time) => time[key])), median(bare.times.map((time) => time[key]))];
  const lines: Line[] = [
    { about: 'bytes to the login', values: [kB(ours.login), kB(bare.login)], unit: 'kB', most: 73 },
    { about: 'bytes to 50 users', values: [kB(ours.users), kB(bare.users)], unit: 'kB', most: 77 },
    { about: 'requests to the login', values: [ours.login.requests, bare.login.requests], unit: '' },
    { about: 'requests to 50 users', values: [ours.users.requests, bare.users.requests], unit: '' },
    { about: 'login usable, cold', values: of('login'), unit: 'ms', ratio: 0.25 },
    { about: '50 users on screen, cold', values: of('users'), unit: 'ms', ratio: 0.75 },
    { about: '50 users on screen, warm', values: of('usersWarm'), unit: 'ms', ratio: 0.6 },
    { about: 'first paint, warm', values: of('paintWarm'), unit: 'ms' },
    { about: 'total blocking time, users, cold', values: of('usersBlocked'), unit: 'ms' },
    { about: 'click on sort to 200 new rows, all', values: of('sortWhole'), unit: 'ms' },
    { about: '  click to the next paint', values: of('sortClick'), unit: 'ms', most: 100 },
    { about: '  answer to the rows in view painted', values: of('sortRows'), unit: 'ms', most: 100 },
    { about: '  answer to all 200 painted', values: of('sortAll'), unit: 'ms' },
    { about: 'open a dialog over 200 rows', values: of('dialog'), unit: 'ms', most: 100 },
    { about: 'type into the search over 200 rows', values: of('typing'), unit: 'ms', most: 100 },
  ];
  let isMissed = false;
  const rows = lines.map(({ about, values: [mine, theirs], unit, ratio, most }) => {
    const goal = ratio !== undefined ? `≤ ${ratio.toFixed(2)} ×` : most !== undefined ? `≤ ${most} ${unit}` : '';
    const isMet = mine <= (ratio !== undefined ? ratio * theirs : most ?? Infinity);
    if (!isMet) isMissed = true;
    return [about, show(mine, unit), show(theirs, unit), theirs ? (mine / theirs).toFixed(2) : '–', goal, goal && (isMet ? 'met' : 'MISSED')];
  });
  const further = [ours, bare].map(({ users }) => users.furtherBytes / 1000);
  const text = [
    `Slow 3G (400 ms to the first byte, 400 kbit/s), processor slowed 4 times, medians of ${runs} interleaved round${runs === 1 ? '' : 's'}, Chromium ${browser}`,
    '',
    ...table([['', 'this app', 'bare React', 'ratio', 'goal', ''], ...rows]),
    '',
    'Bytes are the bodies as sent (brotli 11, the API as its server compresses it): to the login until the line was quiet, to the users what had been asked'
      + ` for when they stood; after that came ${further.map((one) => `${one.toFixed(1)} kB`).join(' and ')}.`,
    'The latency is Chromium\'s: from a request to its first byte, for each request; connections cost nothing, cached files neither.',
  ].join('\n');
  return { text, isMissed };
}

/** What a page fetches, in the order it asks: to the login, then to 50 users. */
export function listing(measured: Measured | undefined): string {
  if (!measured) return '';
  const one = (title: string, { sent }: Weight) => [title, ...sent.map(({ path, bytes }) => `${String(bytes).padStart(8)}  ${path}`), ''];
  return [...one('To the login, bytes:', measured.login), ...one('To 50 users, bytes:', measured.users)].join('\n');
}

const show = (value: number, unit: Line['unit']) => (unit === 'kB' ? `${value.toFixed(1)} kB` : unit === 'ms' ? `${Math.round(value).toLocaleString('en-US')} ms` : String(value));

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) => row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  ').trimEnd());
}
