/** Text in files and on the clipboard that no spreadsheet takes for a formula. */

/**
 * Whether a spreadsheet could take a cell for a formula: after blanks it starts with =, +, - or @, also with a full-
 * width, small or raised form of them, or it starts with a tab or a line break.
 */
const startsFormula = (cell: string): boolean =>
  /^[\t\r\n]/.test(cell) || /^[=+\-@\u2212]/.test(cell.trimStart().slice(0, 1).normalize('NFKC'));

/** An apostrophe before each formula: at the start, and behind what some spreadsheets split a quoted cell at. */
export const escapeFormulas = (text: string): string =>
  eachCell(text, (cell) => (startsFormula(cell) ? `'${cell}` : cell));

/** The text without the apostrophes that `escapeFormulas` puts in. */
export const unescapeFormulas = (text: string): string =>
  eachCell(text, (cell) => (cell.startsWith("'") && startsFormula(cell.slice(1)) ? cell.slice(1) : cell));

/** Changes what stands behind each separator, and then the whole. */
const eachCell = (text: string, change: (cell: string) => string): string =>
  change(
    text
      .split(/([;\t\r\n])/)
      .map((part, index) => (index && index % 2 === 0 ? change(part) : part))
      .join(''),
  );
