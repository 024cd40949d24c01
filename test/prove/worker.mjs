// node test/prove/worker.mjs FOLDER, started by run.mjs: proves what it is told to, one after the other, in one world.
const [, , outdir] = process.argv;
const { closeAll } = await import(`${outdir}/closing.js`); // the bundle's own copy: it knows what the proofs opened

process.on('message', async (asked) => {
  if (!asked) {
    await closeAll();
    process.exit(0);
  }
  const { name, options } = asked,
    begun = performance.now();
  try {
    const { prove } = await import(`${outdir}/prove/${name}.js`);
    const why = await prove({ ...options, say: (line) => console.log(`${name}: ${line}`) });
    if (!why) console.log(`${name}: proved in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
    process.send({ why });
  } catch (error) {
    const how = `${name} --seed ${options.seed}${options.long ? ' --long' : ''}`;
    console.error(`${name}: FAILED. To repeat it: npm run prove -- ${how}\n`, error);
    process.send({ failure: String(error?.message ?? error).split('\n')[0] });
  }
});
