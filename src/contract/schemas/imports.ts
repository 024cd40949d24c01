import * as v from 'valibot';
import { IMPORT_CHARS, importKinds } from '../imports';
import { chars, given, id, maybe, number, oneOf, string, text } from './fields';

const sha256 = v.pipe(v.string('expected text'), v.regex(/^[0-9a-f]{64}$/, 'expected a SHA-256 in hexadecimal'));
/** Whole records of a CSV file with its header; needs the feature `import`. */
export const ImportBatch = v.object({
  tenant_id: id,
  kind: oneOf(importKinds),
  header: chars(10_000),
  rows: chars(IMPORT_CHARS),
  /** The line of the file on which the rows start; the header is line 1. */
  first_line: v.pipe(id, v.minValue(2, 'must be at least 2')),
  /** How the audit log names the file. The hash covers the whole file. */
  file_name: given(text(255)),
  file_sha256: given(sha256),
});
export type ImportBatch = v.InferOutput<typeof ImportBatch>;

/** A row that is not imported, and why. `column` is null when the whole row is meant. */
export const ImportReject = v.object({ line: number, column: maybe(string), reason: string });
export type ImportReject = v.InferOutput<typeof ImportReject>;

/** The result of a batch, or of checking one: each row is created, exists already, or is rejected. */
export const ImportAnswer = v.object({
  created: number,
  existing: number,
  rejects: v.array(ImportReject),
  /** Headers that match no column. */
  ignored_columns: v.array(string),
  /** When checking: MACs of what identifies each new row. A later row of the file with one of them is a duplicate. */
  keys: v.array(string),
});
export type ImportAnswer = v.InferOutput<typeof ImportAnswer>;
