// node test/worker.mjs FOLDER [MODULE ...], started by runTests.mjs: runs the test file that its parent names, reports
// the result, and asks for the next.
const [outdir, ...preload] = process.argv.slice(2);
for (const name of preload) await import(new URL(name, import.meta.url));
globalThis.UVU_DEFER = 1; // read once, when uvu is first imported
const { test } = await import('uvu');
const { closeAll } = await import(`${outdir}/closing.js`); // the bundle's own copy: it knows what the tests opened

// uvu swallows what a `before` or `after` hook throws, and skips that file's tests.
let thrown;
const catching = (add) => (hook) =>
  add(async (state) => {
    try {
      await hook(state);
    } catch (error) {
      thrown = error;
      throw error;
    }
  });
for (const kind of ['before', 'after']) {
  const add = test[kind];
  test[kind] = Object.assign(catching(add), { each: catching(add.each) });
}

process.on('message', (suite) => void (suite ? run(suite) : end()));

// What nobody awaits ends the process, as it ends the server. The runner says what it was.
process.on('uncaughtException', (error) =>
  process.send({ crash: error?.stack ?? String(error) }, () => process.exit(1)),
);

/** Runs one file. What it prints is kept together; what it logs is shown only when a test fails. */
async function run({ name, file }) {
  const printed = [`${name}\n`],
    logged = [];
  const { stdout, stderr } = process,
    writes = [stdout.write, stderr.write];
  stdout.write = (text) => printed.push(String(text)) > 0;
  stderr.write = (text) => logged.push(String(text)) > 0;
  const runs = (globalThis.UVU_QUEUE[0] = []);
  globalThis.UVU_INDEX = 0;
  let passed = 0,
    skipped = 0,
    total = 0;
  try {
    await import(`file://${file}`);
    if (!runs.length) throw new Error(`${name} has no test.run()`);
    for (const runSuite of runs) {
      thrown = undefined;
      const [errors, ran, left, all] = await runSuite();
      passed += ran;
      skipped += left;
      total += all;
      if (typeof errors === 'string') printed.push(`\n${errors}\n`);
      if (thrown) throw thrown;
    }
  } catch (error) {
    total = Math.max(total, passed + 1);
    printed.push(`\n   FAIL  ${name}\n    ${error?.stack ?? error}\n`);
  }
  [stdout.write, stderr.write] = writes;
  const log = passed + skipped < total ? logged.join('') : '';
  process.send({ output: `${log}${printed.join('')}\n`, passed, skipped, total });
}

async function end() {
  try {
    await closeAll();
    process.exit(0);
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
}
