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
  const reader = new Reader();
  while (reader.read < file.size) {
    reader.add(new Uint8Array(await file.slice(reader.read, reader.read + PIECE).arrayBuffer()));
    yield* takeBatches(reader, most, reader.read >= file.size);
  }
}

/** The batches of what was read so far, and with `isLast` of the rest. */
function* takeBatches(reader: Reader, most: () => number, isLast: boolean): Generator<Records> {
  while (reader.findRecord(isLast)) {
    if (reader.at > BATCH_BYTES && reader.records > 0) yield reader.take();
    reader.addRecord(reader.at);
    if (reader.at > BATCH_BYTES) throw tooLong(reader.firstLine);
    if (reader.records === most()) yield reader.take();
  }
  const { data, whole } = reader;
  if (!isLast) {
    if (data.length - whole.end > BATCH_BYTES) throw tooLong(whole.line);
    return;
  }
  if (data.length > whole.end) {
    if (data.length > BATCH_BYTES && reader.records > 0) yield reader.take();
    if (reader.data.length > BATCH_BYTES) throw tooLong(reader.firstLine);
    reader.addRecord(reader.data.length);
  }
  if (reader.whole.end > 0) yield reader.take();
}

/** What was read of a file and is in no batch yet. */
class Reader {
  data = new Uint8Array(0);
  /** How much of the file was read. */
  read = 0;
  /** The next byte to look at. */
  at = 0;
  firstLine = 1;
  records = 0;
  /** Where the last whole record ends, and the line on which the next one starts. */
  whole = { end: 0, line: 1 };
  private line = 1;
  private isQuoted = false;

  add(piece: Uint8Array): void {
    this.read += piece.length;
    this.data = concat(this.data, piece);
  }

  /** Goes on to the end of the next record, if it was read. */
  findRecord(isLast: boolean): boolean {
    const { data } = this;
    while (this.at < data.length) {
      const byte = data[this.at];
      // The next piece may start with the line feed.
      if (byte === CR && this.at + 1 === data.length && !isLast) return false;
      this.at++;
      if (byte === QUOTE) this.isQuoted = !this.isQuoted;
      if (byte !== LF && (byte !== CR || data[this.at] === LF)) continue;
      this.line++;
      if (!this.isQuoted) return true;
    }
    return false;
  }

  addRecord(end: number): void {
    this.whole = { end, line: this.line };
    this.records++;
  }

  /** The whole records as a batch. */
  take(): Records {
    const { data, firstLine, whole } = this;
    const batch = { bytes: data.subarray(0, whole.end), firstLine, end: this.read - data.length + whole.end };
    this.data = data.subarray(whole.end);
    this.at -= whole.end;
    this.firstLine = whole.line;
    this.whole = { end: 0, line: whole.line };
    this.records = 0;
    return batch;
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
