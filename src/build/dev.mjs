// npm run dev: builds into build/dev/ and starts the server on sample data. After each change of a source it builds
// again. The running server serves a new app at once: reload the page. It starts again when its own code has changed.
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ENTRY = 'build/dev/build/server/main.mjs';
let server, code, seen;
let isRestarting = false;
const isRunning = () => server && server.exitCode === null && server.signalCode === null;

/** Builds, and starts the server again if its code is new. A failed build leaves the last one running. */
function update() {
  const begun = performance.now();
  const { status } = spawnSync(process.execPath, ['build.mjs', '--dev'], { stdio: 'inherit' });
  if (status !== 0) return;
  process.stdout.write(`Built in ${((performance.now() - begun) / 1000).toFixed(1)} s\n`);
  const last = code;
  code = readFileSync(ENTRY, 'utf8');
  if (!isRunning()) start();
  else if (code !== last) restart();
}

function start() {
  server = spawn(process.execPath, ['--enable-source-maps', ENTRY, '--demo'], { stdio: 'inherit' });
}

function restart() {
  if (isRestarting) return;
  isRestarting = true;
  server.once('exit', () => {
    isRestarting = false;
    start();
  });
  server.kill();
}

/** When each source was changed. fs.watch does not see a file again that an editor has replaced. */
const readTimes = () =>
  ['src', 'static']
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)))
    .map((path) => `${path} ${statSync(path, { throwIfNoEntry: false })?.mtimeMs}`)
    .join();

for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    if (!isRunning()) process.exit();
    server.once('exit', () => process.exit()).kill();
  });
setInterval(() => {
  const times = readTimes();
  if (times === seen) return;
  seen = times;
  update();
}, 500);
