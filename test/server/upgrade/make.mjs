// npm run schema-backup: writes the backup of the present schema, which the tests of later versions restore.
import { bundle } from '../../bundle.mjs';

const folder = await bundle('schema-backup', ['test/server/upgrade/make.ts', 'test/closing.ts']);
const { make } = await import(`${folder}/server/upgrade/make.js`);
const { closeAll } = await import(`${folder}/closing.js`);
try {
  console.log(await make());
} finally {
  await closeAll();
}
