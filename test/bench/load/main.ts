import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { PASSWORD, chromiumPath, people, startedServer } from '../../browser/harness';
import { closeAll } from '../../closing';
import { buildBare } from './bare';
import { startHost } from './host';
import { listing, report, type Measured } from './report';
import { signIn, time, weigh, type Candidate } from './visit';

/** Nothing of the browser's own may be on the line. */
const withoutNoise = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const help = `npm run bench:load [-- options]
  --runs N     interleaved rounds, medians of which are printed [5]
  --quick      one round
  --app DIR    the built app [dist]
  --api URL    a server with the sample world, instead of starting one
  --list       also what is fetched, file by file
  --check      exit code 1 when a goal is missed`;

/** Measures the app against the bare page and prints the table; the process's exit code. */
export async function main(args: string[]): Promise<number> {
  const after = (name: string) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
  const runs = args.includes('--quick') ? 1 : Number(after('--runs') ?? 5), app = after('--app') ?? 'dist';
  if (args.includes('--help')) return say(help);
  if (!Number.isInteger(runs) || runs < 1) return refuse('--runs wants a whole number above 0');
  if (!existsSync(join(app, 'index.html'))) return refuse(`${app}/index.html is missing: npm run build`);
  if (!after('--api') && !existsSync('build/server/main.mjs')) return refuse('build/server/main.mjs is missing: npm run build');

  const undo: (() => Promise<unknown> | void)[] = [];
  try {
    const folder = mkdtempSync(join(tmpdir(), 'bench-bare-'));
    undo.push(() => rmSync(folder, { recursive: true, force: true }));
    await buildBare(folder);
    undo.push(closeAll);
    const api = after('--api') ?? (await startedServer()).url;
    const executablePath = chromiumPath();
    if (!executablePath) return refuse('No Chromium found: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH to one.');
    const browser = await chromium.launch({ executablePath, args: withoutNoise });
    undo.push(() => browser.close());
    const candidates: Candidate[] = [];
    for (const [name, files] of [['this app', app], ['bare React', folder]] as const) {
      const host = await startHost(files, api);
      undo.push(host.stop);
      candidates.push({ name, host, storage: await signIn(browser, host, people.super, PASSWORD) });
    }
    const measured = await measure(browser, candidates, runs);
    if (args.includes('--list')) say(listing(measured[0]));
    const { text, isMissed } = report(measured, runs, browser.version());
    say(text);
    return isMissed && args.includes('--check') ? 1 : 0;
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

async function measure(browser: Browser, candidates: Candidate[], runs: number): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const candidate of candidates) {
    measured.push({ login: await weigh(browser, candidate, 'login'), users: await weigh(browser, candidate, 'users'), times: [] });
  }
  for (let run = 1; run <= runs; run += 1) {
    for (const [at, candidate] of candidates.entries()) {
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
