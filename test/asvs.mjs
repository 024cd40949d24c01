// node test/asvs.mjs: prints docs/asvs.csv, made from the tags in the titles of tests, such as [ASVS 6.2.1].
import { readdirSync, readFileSync } from 'node:fs';
import { stringify } from 'csv-stringify/sync';

const TAGGED = /\(['"`](.+) \[ASVS ([\d., ]+)\]['"`],/g;

const rows = readdirSync('test', { recursive: true })
  .map(String)
  .filter((file) => /\.test\.tsx?$/.test(file))
  .sort()
  .flatMap((file) =>
    [...readFileSync(`test/${file}`, 'utf8').matchAll(TAGGED)].map((found) => [file, ...found.slice(1)]),
  )
  .flatMap(([file, title, ids]) =>
    ids.split(', ').map((requirement) => ({
      requirement,
      test: `test/${file}`,
      title: title.replaceAll("\\'", "'").replace(/\$\{.*?\}/g, '…'),
    })),
  )
  .sort((a, b) => a.requirement.localeCompare(b.requirement, 'en', { numeric: true }));

process.stdout.write(stringify(rows, { header: true }));
