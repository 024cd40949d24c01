import { parse } from 'uvu/parse';

/** Runs the test files that are bundled in a folder, closes what they have opened, and ends the process. */
export async function runFolder(outdir) {
  const { closeAll } = await import(`${outdir}/closing.js`); // the bundle's own copy: it knows what the tests opened
  let failure;
  try {
    const { suites } = await parse(outdir, /\.test\.js$/);
    await runSuites(suites);
  } catch (error) {
    failure = error;
    console.error(error);
  } finally {
    await closeAll();
  }
  if (failure) process.exitCode = 1;
  process.exit(); // with no argument: an undefined one would forget the exit code that uvu has set
}

/**
 * Runs the bundled test files like `uvu/run`, which must not see a green run where there was none: uvu swallows what a `before`
 * hook throws, skips that file's tests and still ends with exit code 0, and it says nothing of a file that never calls `test.run()`.
 */
export async function runSuites(suites) {
  globalThis.UVU_DEFER = 1; // read once, when uvu is first imported
  const { exec, test } = await import('uvu');
  let thrown;
  for (const kind of ['before', 'after']) {
    const { each } = test[kind];
    const add = test[kind];
    test[kind] = Object.assign((hook) => add(async (state) => {
      try {
        await hook(state);
      } catch (error) {
        thrown = error;
        throw error;
      }
    }), { each });
  }

  const honest = (run) => async () => {
    thrown = undefined;
    const [errors, passed, skipped, total] = await run();
    const isSilent = passed < total && !(errors.length > 0);
    return [isSilent ? `   FAIL  a before hook: ${total - passed} of ${total} tests did not run\n    ${thrown?.stack ?? ''}` : errors, passed, skipped, total];
  };

  const queue = globalThis.UVU_QUEUE;
  for (const [at, { name, file }] of suites.entries()) {
    globalThis.UVU_INDEX = at;
    const group = [name];
    queue[at] = group;
    await import(`file://${file}`);
    if (group.length === 1) throw new Error(`${name} has no test.run()`);
    group.push(...group.splice(1).map(honest));
  }
  await exec(false);
}
