/** From measurements to a table one can read. */
import type { Times, Weight } from './visit';

/** Goals of a page: kB at most, or at most this much of the bare page's time. */
export interface Goals {
  bytesToLogin: number;
  bytesToUsers: number;
  login: number;
  users: number;
  usersWarm: number;
}
export interface Measured {
  name: string;
  /** Absent for a page that is only compared with. */
  goals?: Goals;
  login: Weight;
  users: Weight;
  times: Times[];
}
interface Line {
  about: string;
  unit: 'kB' | '' | 'ms';
  value: (page: Measured) => number;
  /** At most this much of the bare page. */
  ratio?: (goals: Goals) => number;
  /** At most this much. */
  most?: (goals: Goals) => number;
}

/** The middle value; of an even count the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle) - 1] ?? NaN)) / 2;
}

const time = (key: keyof Times) => ({
  unit: 'ms' as const,
  value: ({ times }: Measured) => median(times.map((one) => one[key])),
});
const at100 = () => 100;
const lines: Line[] = [
  {
    about: 'bytes to the login',
    unit: 'kB',
    value: ({ login }) => login.bytes / 1000,
    most: (goals) => goals.bytesToLogin,
  },
  {
    about: 'bytes to 50 users',
    unit: 'kB',
    value: ({ users }) => users.bytes / 1000,
    most: (goals) => goals.bytesToUsers,
  },
  { about: 'requests to the login', unit: '', value: ({ login }) => login.requests },
  { about: 'requests to 50 users', unit: '', value: ({ users }) => users.requests },
  { about: 'login usable, cold', ...time('login'), ratio: (goals) => goals.login },
  { about: '50 users on screen, cold', ...time('users'), ratio: (goals) => goals.users },
  { about: '50 users on screen, warm', ...time('usersWarm'), ratio: (goals) => goals.usersWarm },
  { about: 'first paint, warm', ...time('paintWarm') },
  { about: 'total blocking time, users, cold', ...time('usersBlocked') },
  { about: 'click on sort to 200 new rows, all', ...time('sortWhole') },
  { about: '  click to the next paint', ...time('sortClick'), most: at100 },
  { about: '  answer to the rows in view painted', ...time('sortRows'), most: at100 },
  { about: '  answer to all 200 painted', ...time('sortAll') },
  { about: 'open a dialog over 200 rows', ...time('dialog') },
  { about: 'type into the search over 200 rows', ...time('typing'), most: at100 },
];

/** The table of all pages, the bare one last, against which the ratios are; `isMissed` when any goal is. */
export function report(pages: Measured[], runs: number, browser: string): { text: string; isMissed: boolean } {
  const bare = pages.at(-1);
  if (!bare || pages.length < 2) throw new Error('pages are compared with a bare one');
  const others = pages.slice(0, -1);
  let isMissed = false;
  const rows = lines.map((line) => {
    const theirs = line.value(bare);
    const cells = others.flatMap((page) => {
      const value = line.value(page);
      const most = page.goals && line.most?.(page.goals),
        ratio = page.goals && line.ratio?.(page.goals);
      const limit = ratio !== undefined ? ratio * theirs : most;
      const goal =
        ratio !== undefined ? `≤ ${ratio.toFixed(2)}` : most !== undefined ? `≤ ${show(most, line.unit, 0)}` : '';
      if (limit !== undefined && value > limit) isMissed = true;
      const verdict = limit === undefined ? '' : value <= limit ? 'met' : 'MISSED';
      return [
        show(value, line.unit),
        theirs ? (value / theirs).toFixed(2) : '–',
        ...(page.goals ? [goal, verdict] : []),
      ];
    });
    return [line.about, ...cells, show(theirs, line.unit)];
  });
  const head = ['', ...others.flatMap(({ name, goals }) => [name, 'ratio', ...(goals ? ['goal', ''] : [])]), bare.name];
  const further = pages.map(({ name, users }) => `${name} ${(users.furtherBytes / 1000).toFixed(1)} kB`);
  const text = [
    `Slow 3G (400 ms to the first byte, 400 kbit/s), processor slowed 4 times, medians of ${runs} interleaved` +
      ` round${runs === 1 ? '' : 's'}, Chromium ${browser}`,
    '',
    ...table([head, ...rows]),
    '',
    'Bytes are the bodies as sent (brotli 11; the API as its server compresses it).',
    'To the login: until the network was idle.',
    `To the users: everything requested before the rows were visible. Requested later: ${further.join(', ')}.`,
    'Chromium simulates the latency from each request to its first byte. Connections and cached files cost nothing.',
  ].join('\n');
  return { text, isMissed };
}

/** What a page fetches, in the order it asks: to the login, then to 50 users. */
export function listing({ name, login, users }: Measured): string {
  const one = (title: string, { sent }: Weight) => [
    title,
    ...sent.map(({ path, bytes }) => `${String(bytes).padStart(8)}  ${path}`),
    '',
  ];
  return [...one(`${name} to the login, bytes:`, login), ...one(`${name} to 50 users, bytes:`, users)].join('\n');
}

function show(value: number, unit: Line['unit'], digits = 1): string {
  if (unit === 'kB') return `${value.toFixed(digits)} kB`;
  return unit === 'ms' ? `${Math.round(value).toLocaleString('en-US')} ms` : String(value);
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const cell = (text: string, column: number) =>
    column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(cell).join('  ').trimEnd());
}
