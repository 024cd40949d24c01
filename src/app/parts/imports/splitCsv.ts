/**
 * Splits a CSV file into batches of whole records without reading all of it into memory. It can look at bytes, because
 * quotation marks and line breaks are the same bytes in all of UTF-8.
 */
import { IMPORT_ROWS } from '../../../contract/imports';

/** The header and some rows, ready to be sent. */
export interface Batch {
  header: string;
  rows: string;
  firstLine: number;
  /** Where these rows end in the file, in bytes. */
  end: number;
}

/** With a message for the user. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile';
}

const PIECE = 256 * 1024;
/** Small enough to be sent within the request's timeout on a slow connection. */
const BATCH_BYTES = 96 * 1024;
const [LF, CR, QUOTE] = [10, 13, 34];

interface Records {
  bytes: Uint8Array;
  firstLine: number;
  end: number;
}

/** The batches of a file. A file without rows gives one batch without rows. */
export async function* splitCsv(file: Blob, rows = IMPORT_ROWS): AsyncGenerator<Batch> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) throw notUtf8(1);
  let header: string | undefined,
    isAny = false;
  // The first record is the header.
  for await (const { bytes, firstLine, end } of splitRecords(file, () => (header === undefined ? 1 : rows))) {
    const text = decodeUtf8(bytes, firstLine);
    if (header === undefined) {
      // Some programs write a line with the separator before the header.
      if (text.trim() !== '' && !/^sep=.\s*$/i.test(text)) header = text.trimEnd();
    } else {
      isAny = true;
      yield { header, rows: text, firstLine, end };
    }
  }
  if (header === undefined) throw new UnreadableFile('The file is empty');
  if (!isAny) yield { header, rows: '', firstLine: 2, end: file.size };
}

const notUtf8 = (line: number) => new UnreadableFile(`Line ${line} or later: not UTF-8. Save the file as 'CSV UTF-8'.`);

function decodeUtf8(bytes: Uint8Array, line: number): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw notUtf8(line);
  }
}

async function* splitRecords(file: Blob, most: () => number): AsyncGenerator<Records> {
  let data = new Uint8Array(0),
    read = 0,
    at = 0;
  let isQuoted = false,
    line = 1,
    firstLine = 1,
    records = 0;
  /** Where the last whole record ends, and the line on which the next one starts. */
  let whole = { end: 0, line: 1 };
  const take = (): Records => {
    const batch = { bytes: data.subarray(0, whole.end), firstLine, end: read - data.length + whole.end };
    data = data.subarray(whole.end);
    at -= whole.end;
    firstLine = whole.line;
    whole = { end: 0, line: whole.line };
    records = 0;
    return batch;
  };
  while (read < file.size || at < data.length) {
    const piece = new Uint8Array(await file.slice(read, read + PIECE).arrayBuffer());
    read += piece.length;
    data = concat(data, piece);
    const isLast = read >= file.size;
    for (; at < data.length; at++) {
      const byte = data[at];
      if (byte === QUOTE) isQuoted = !isQuoted;
      if (byte === CR && at + 1 === data.length && !isLast) break; // the next piece may start with the line feed
      if (byte !== LF && (byte !== CR || data[at + 1] === LF)) continue;
      line++;
      if (isQuoted) continue;
      if (at + 1 > BATCH_BYTES && records > 0) yield take();
      whole = { end: at + 1, line };
      records++;
      if (at + 1 > BATCH_BYTES) throw tooLong(firstLine);
      if (records === most()) yield take();
    }
    if (data.length - whole.end > BATCH_BYTES && !isLast) throw tooLong(whole.line);
    if (isLast) {
      if (data.length > whole.end) {
        if (data.length > BATCH_BYTES && records > 0) yield take();
        if (data.length > BATCH_BYTES) throw tooLong(firstLine);
        whole = { end: data.length, line };
      }
      if (whole.end > 0) yield take();
      return;
    }
  }
}

const tooLong = (line: number) =>
  new UnreadableFile(
    `Line ${line}: a row of more than ${BATCH_BYTES / 1024} kB. Perhaps a closing quotation mark is missing.`,
  );

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
