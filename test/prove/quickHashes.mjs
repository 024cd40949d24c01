/**
 * argon2id with a thousandth of its work, for runs that send millions of passwords. The cost of a guess is tested
 * elsewhere, with the code that is delivered.
 */
export const quickHashes = {
  name: 'quick hashes',
  setup(build) {
    build.onResolve({ filter: /^@node-rs\/argon2$/ }, ({ importer }) =>
      importer.includes('quick-hashes') ? undefined : { path: 'quick-hashes', namespace: 'quick-hashes' },
    );
    build.onLoad({ filter: /./, namespace: 'quick-hashes' }, () => ({
      resolveDir: process.cwd(),
      contents: `
        import * as argon2 from '@node-rs/argon2';
        const quick = (cost) => ({ ...cost, memoryCost: 32, timeCost: 1 });
        export const hash = (text, cost) => argon2.hash(text, quick(cost));
        export const hashRaw = (text, cost) => argon2.hashRaw(text, quick(cost));
        export const verify = argon2.verify;`,
    }));
  },
};
