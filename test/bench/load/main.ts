import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { PASSWORD, people, startedBrowser, startedServer } from '../../browser/harness';
import { closeAll } from '../../closing';
import { buildBare } from './bare';
import { startHost } from './host';
import { type Goals, listing, type Measured, report } from './report';
import { type Candidate, signIn, time, weigh } from './visit';

type Compared = Candidate & { goals: Goals | undefined };

const help = `npm run bench:load [-- options]
  --runs N         number of interleaved rounds; the table shows medians [5]
  --quick          one round
  --also NAME=DIR  also measures the build of the app in DIR
  --api URL        uses a running server with the sample data instead of starting one
  --list           also lists every file that is fetched
  --check          exits with code 1 if a goal is missed`;

/** Measures the app in both builds against the bare page and prints the table; the process's exit code. */
export async function main(args: string[]): Promise<number> {
  const after = (name: string) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
  const runs = args.includes('--quick') ? 1 : Number(after('--runs') ?? 5);
  const [alsoName, alsoFolder] = after('--also')?.split('=') ?? [];
  if (args.includes('--help')) return say(help);
  if (!Number.isInteger(runs) || runs < 1) return refuse('--runs must be a whole number above 0');
  if (alsoName && !existsSync(join(alsoFolder ?? '', 'index.html'))) return refuse(`${alsoFolder} has no index.html`);

  const undo: (() => Promise<unknown> | void)[] = [];
  try {
    const folder = mkdtempSync(join(tmpdir(), 'bench-load-')),
      light = join(folder, 'light'),
      app = join(folder, 'app'),
      bare = join(folder, 'bare');
    undo.push(() => rmSync(folder, { recursive: true, force: true }));
    buildInto(light, '--light');
    buildInto(app); // last, so that dist/ is the usual build again
    await buildBare(bare);
    undo.push(closeAll);
    const api = after('--api') ?? (await startedServer()).url;
    const browser = await startedBrowser();
    const candidates: Compared[] = [];
    const pages: [name: string, files: string, goals?: Goals][] = [
      ['this app', app, { bytesToLogin: 82, bytesToUsers: 94, login: 0.27, users: 1, usersWarm: 0.72 }],
      ['light build', light, { bytesToLogin: 28, bytesToUsers: 42, login: 0.3, users: 0.7, usersWarm: 0.65 }],
      ...(alsoName && alsoFolder ? [[alsoName, alsoFolder] as [string, string]] : []),
      ['bare React', bare],
    ];
    for (const [name, files, goals] of pages) {
      const host = await startHost(files, api);
      undo.push(host.stop);
      candidates.push({ name, host, goals, storage: await signIn(browser, host, people.super, PASSWORD) });
    }
    const measured = await measure(browser, candidates, runs);
    if (args.includes('--list')) for (const page of measured.slice(0, -1)) say(listing(page));
    const { text, isMissed } = report(measured, runs, browser.version());
    say(text);
    return isMissed && args.includes('--check') ? 1 : 0;
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

/** Builds the app, and copies it to where the next build does not reach it. */
function buildInto(folder: string, ...options: string[]): void {
  const { status } = spawnSync(process.execPath, ['build.mjs', ...options], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error('The build failed');
  cpSync('dist', folder, { recursive: true });
}

async function measure(browser: Browser, candidates: Compared[], runs: number): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const candidate of candidates) {
    const { name, goals } = candidate;
    const login = await weigh(browser, candidate, 'login'),
      users = await weigh(browser, candidate, 'users');
    measured.push({ name, ...(goals && { goals }), login, users, times: [] });
  }
  for (let run = 1; run <= runs; run += 1) {
    // Another one is first in each round: whoever comes after a rest is slower.
    const inTurn = [...candidates.entries()].map((_, n, all) => all[(n + run) % all.length]!);
    for (const [at, candidate] of inTurn) {
      process.stderr.write(`round ${run} of ${runs}: ${candidate.name}\n`);
      measured[at]?.times.push(await time(browser, candidate));
    }
  }
  return measured;
}

function say(text: string): 0 {
  process.stdout.write(`${text}\n`);
  return 0;
}
function refuse(text: string): 1 {
  process.stderr.write(`${text}\n`);
  return 1;
}
