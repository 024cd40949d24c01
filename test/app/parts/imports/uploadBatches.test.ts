import { parse } from 'csv-parse/sync';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ApiError } from '../../../../src/app/api/client';
import { buildRejects, buildSample } from '../../../../src/app/parts/imports/files';
import { type Batch, splitCsv } from '../../../../src/app/parts/imports/splitCsv';
import { noProgress, type Progress, uploadBatches } from '../../../../src/app/parts/imports/uploadBatches';
import { getImportColumns, importKinds } from '../../../../src/contract/imports';
import { partsOf } from '../../network';

async function batches(file: Blob | string, rows?: number): Promise<Batch[]> {
  const all: Batch[] = [];
  for await (const batch of splitCsv(typeof file === 'string' ? new Blob([file]) : file, rows)) all.push(batch);
  return all;
}
const words = async (file: Blob | string) =>
  batches(file).then(
    () => 'read',
    (error: Error) => error.message,
  );

test('a file is cut between its records, never within one, and each batch knows its line', async () => {
  const text = 'a,b\r\n"x\r\ny",1\r\n\r\n"said ""no""\n",2\r3,4\n5,"6"',
    all = await batches(text, 2);
  assert.equal(partsOf(all, 'header', 'rows', 'firstLine'), [
    ['a,b', '"x\r\ny",1\r\n\r\n', 2],
    ['a,b', '"said ""no""\n",2\r3,4\n', 5],
    ['a,b', '5,"6"', 8],
  ]);
  assert.is(all.at(-1)?.end, text.length);
});

test('a byte order mark and the line that only says what parts the cells are no header', async () => {
  const [batch] = await batches('\uFEFFsep=;\r\n\r\na;b\r\n1;2\r\n');
  assert.equal([batch?.header, batch?.rows, batch?.firstLine], ['a;b', '1;2\r\n', 4]);
});

test('a file without rows is one batch without rows, an empty one is refused', async () => {
  assert.equal(partsOf(await batches('a,b\n'), 'rows', 'end'), [['', 4]]);
  for (const empty of ['', '\uFEFF', '\n\n']) assert.is(await words(empty), 'The file is empty');
});

test('what is no UTF-8 is told, with the line', async () => {
  assert.is(
    await words(new Blob([new Uint8Array([97, 10, 0xe9, 10])])),
    "Line 2 or later: not UTF-8. Save the file as 'CSV UTF-8'.",
  );
  assert.is(
    await words(new Blob([new Uint8Array([0xff, 0xfe, 97, 0, 10, 0])])),
    "Line 1 or later: not UTF-8. Save the file as 'CSV UTF-8'.",
  );
});

test('a quotation mark that is never closed is told with its line, whatever the size of the file', async () => {
  assert.is(
    await words(`a\n1\n"2\n${'3\n'.repeat(400_000)}`),
    'Line 3: a row of more than 96 kB. Perhaps a closing quotation mark is missing.',
  );
  assert.is((await batches('a\n1\n"2\n3')).length, 1, 'a short one is for the server to tell');
});

test('batches are small, and put together they are the file', async () => {
  const cell = (n: number) => `"${'ÄÖ🙂'.repeat(n % 400)}\r\n""${n}""${n % 7 ? '' : ','}"`;
  const rows = Array.from({ length: 3000 }, (_, n) => `${n},${cell(n)}${n % 3 ? '\n' : '\r\n'}`);
  const all = await batches(`n,text\n${rows.join('')}`);
  assert.is(all.map(({ rows }) => rows).join(''), rows.join(''));
  const size = (text: string) => new TextEncoder().encode(text).length;
  for (const batch of all) assert.ok(size(batch.rows) <= 96 * 1024);
  let line = 2;
  for (const batch of all) {
    assert.is(batch.firstLine, line);
    line += batch.rows.split('\n').length - 1;
    assert.ok(parse(batch.rows.replaceAll('\r\n', '\n')).length <= 500);
  }
});

const answer = (created: number) => ({ created, existing: 0, rejects: [], ignored_columns: [], keys: [] });
const file = new Blob([`a\n${'1\n'.repeat(1200)}`]);

test('a batch whose answer is lost is sent again, and only that one', async () => {
  const sent: number[] = [];
  let failures = 2;
  const done = await uploadBatches(file, noProgress, {
    send: async ({ firstLine }) => {
      sent.push(firstLine);
      if (firstLine === 502 && failures-- > 0) throw new ApiError(failures ? 0 : 503);
      return answer(1);
    },
    onProgress: () => {},
    isStopped: () => false,
    pauses: [1, 1],
  });
  assert.equal([sent, done.created], [[2, 502, 502, 502, 1002], 3]);
});

test('a line that stays down ends it, a refusal at once; going on begins where it ended', async () => {
  for (const [status, tries] of [
    [0, 3],
    [422, 1],
  ] as const) {
    const sent: number[] = [];
    let progress: Progress = noProgress,
      isDown = true;
    const going = {
      send: async ({ firstLine }: Batch) => {
        sent.push(firstLine);
        if (firstLine === 502 && isDown) throw new ApiError(status, 'no');
        return answer(1);
      },
      onProgress: (next: Progress) => {
        progress = next;
      },
      isStopped: () => false,
      pauses: [1, 1],
    };
    await uploadBatches(file, noProgress, going).then(
      () => assert.unreachable(),
      (error: unknown) => assert.instance(error, ApiError),
    );
    isDown = false;
    assert.is((await uploadBatches(file, progress, going)).created, 3);
    assert.equal(sent, [2, ...Array.from({ length: tries }, () => 502), 502, 1002]);
  }
});

test('whatever another server answers, the counts are counts', async () => {
  for (const nonsense of [
    null,
    'x',
    [],
    { created: 'many', rejects: [null, { line: 'x' }], keys: [1], ignored_columns: {} },
  ]) {
    const done = await uploadBatches(new Blob(['a\n1']), noProgress, {
      send: async () => JSON.parse(JSON.stringify(nonsense)),
      onProgress: () => {},
      isStopped: () => false,
    });
    assert.equal([done.created, done.existing, done.ignored], [0, 0, []]);
  }
});

test('the sample has all columns, and the rejects are a file without formulas', async () => {
  for (const kind of importKinds) {
    const [header, ...rows]: string[][] = parse(await buildSample(kind).text(), { bom: true });
    assert.equal(
      header,
      getImportColumns(kind).map(([name]) => name),
    );
    assert.is(rows.length, 2);
  }
  const text = await buildRejects([{ line: 3, column: null, reason: '=1+1 "x"' }]).text();
  assert.equal(parse(text, { bom: true }), [
    ['Line', 'Column', 'Reason'],
    ['3', '', '\'=1+1 "x"'],
  ]);
});

test.run();
