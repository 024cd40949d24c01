// node test/asvs.mjs: prints docs/asvs.md, made from the tags in the titles of tests, such as [ASVS 6.2.1].
import { readdirSync, readFileSync } from 'node:fs';

const HEAD = `# Requirements and their tests

Made by \`npm run asvs\` from the tags in test titles: the requirements of the OWASP Application Security Verification
Standard 5.0.0, and the tests that show them. [security.md](security.md) says what is done, and what is not met.
`;

/** Each requirement with the tests that show it. */
function findTests() {
  const found = [];
  for (const file of readdirSync('test', { recursive: true }).map(String).sort()) {
    if (!/\.test\.tsx?$/.test(file)) continue;
    for (const [, title, ids] of readFileSync(`test/${file}`, 'utf8').matchAll(
      /\(['"`](.+) \[ASVS ([\d., ]+)\]['"`],/g,
    ))
      for (const id of ids.split(', '))
        found.push({ id, file, title: title.replaceAll("\\'", "'").replace(/\$\{.*?\}/g, '…') });
  }
  return found;
}

const tests = findTests();
const ids = [...new Set(tests.map(({ id }) => id))].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
const lines = ids.flatMap((id) => [
  `- **${id}**`,
  ...tests.filter((test) => test.id === id).map(({ file, title }) => `  - \`test/${file}\`: ${title}`),
]);
process.stdout.write(`${HEAD}\n${lines.join('\n')}\n`);
