import { parse } from 'csv-parse/sync';
import type { ImportReject } from '../../contract/entities';
import { unescapeFormulas } from '../../contract/formulas';
import { getImportColumns, IMPORT_ROWS, type ImportKind } from '../../contract/imports';
import { Problem } from '../core/problem';

/** A record by the names of its columns, without blank cells. */
export interface FileRow {
  line: number;
  cells: Record<string, string>;
}
export interface FileRows {
  rows: FileRow[];
  rejects: ImportReject[];
  ignored: string[];
}

/** Parses whole records of a file with its header. An unreadable file, or a missing column, is a 422 with its line. */
export function readRows(kind: ImportKind, header: string, rows: string, firstLine: number): FileRows {
  const delimiter = detectDelimiter(header);
  const [titles, ...more] = parseRecords(header, delimiter, 1);
  if (!titles || more.length) throw new Problem(422, 'Line 1: expected a header with the column names');
  const { columns, ignored } = matchColumns(kind, titles.cells);
  const found = parseRecords(rows, delimiter, firstLine);
  const read: FileRows = { rows: [], rejects: [], ignored };
  for (const { line, cells } of found) {
    // Spreadsheets leave empty cells after the last column.
    if (cells.length < columns.length || cells.slice(columns.length).some((cell) => cell.trim() !== '')) {
      read.rejects.push({
        line,
        column: null,
        reason: `has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, the header has ${columns.length}`,
      });
      continue;
    }
    const filled = columns.flatMap((name, n) => {
      const cell = cleanCell(cells[n] ?? '');
      return name === null || cell === '' ? [] : [[name, cell]];
    });
    if (filled.length) read.rows.push({ line, cells: Object.fromEntries(filled) });
  }
  return read;
}

/** Our own exports put an apostrophe before what a spreadsheet would take for a formula. */
const cleanCell = (cell: string): string => unescapeFormulas(cell.trim()).trim();

/** Comma, semicolon or tab: whichever splits the header into most parts. */
function detectDelimiter(header: string): string {
  const bare = header.replace(/"[^"]*"/g, '');
  const [best] = [',', ';', '\t']
    .map((mark) => ({ mark, count: bare.split(mark).length }))
    .toSorted((a, b) => b.count - a.count);
  return best?.mark ?? ',';
}

interface Cells {
  line: number;
  cells: string[];
}

/** `line` is where a record starts; line breaks in quotes count. */
function parseRecords(text: string, delimiter: string, firstLine: number): Cells[] {
  const found: Cells[] = [];
  let end = 0;
  try {
    parse(text.replace(/\r\n?/g, '\n'), {
      delimiter,
      record_delimiter: '\n',
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      on_record: (cells: string[], { lines }) => {
        const breaks = cells.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0);
        if (found.length === IMPORT_ROWS) throw new Problem(422, `body.rows: at most ${IMPORT_ROWS} rows at once`);
        found.push({ line: firstLine + lines - 1 - breaks, cells });
        end = lines;
        return null;
      },
    });
  } catch (error) {
    throw new Problem(422, describeCsvError(error, firstLine, end));
  }
  return found;
}

const csvErrors: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'a quotation mark is never closed',
  INVALID_OPENING_QUOTE: 'a quotation mark is in the middle of a cell',
  CSV_INVALID_CLOSING_QUOTE: 'there is text after a closing quotation mark',
};

function describeCsvError(error: unknown, firstLine: number, end: number): string {
  if (!(error instanceof Error && 'code' in error && 'lines' in error)) throw error;
  const message = csvErrors[String(error.code)];
  if (!message) throw error;
  return `Line ${firstLine + (error.code === 'CSV_QUOTE_NOT_CLOSED' ? end : Number(error.lines) - 1)}: ${message}`;
}

/** 'User Email', 'user-email' and 'USER_EMAIL' are the same name. */
const normalizeTitle = (title: string): string =>
  title
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');

function matchColumns(kind: ImportKind, titles: readonly string[]): { columns: (string | null)[]; ignored: string[] } {
  const known = new Map(
    getImportColumns(kind).flatMap(([name, { also = [] }]) => [name, ...also].map((title) => [title, name])),
  );
  const columns = titles.map((title) => known.get(normalizeTitle(title)) ?? null);
  const twice = columns.find((name, n) => name !== null && columns.indexOf(name) < n);
  if (twice) throw new Problem(422, `Line 1: duplicate column ${twice}`);
  const missing = getImportColumns(kind)
    .filter(([name, { isRequired }]) => isRequired && !columns.includes(name))
    .map(([name]) => name);
  if (missing.length)
    throw new Problem(422, `Line 1: missing ${missing.length > 1 ? 'columns' : 'column'} ${missing.join(', ')}`);
  if (kind === 'transactions' && !columns.includes('user_email') && !columns.includes('user_source_id'))
    throw new Problem(422, 'Line 1: missing column user_email or user_source_id');
  return {
    columns,
    ignored: titles
      .filter((title, n) => columns[n] === null && title.trim() !== '')
      .map((title) => title.trim().slice(0, 100)),
  };
}
