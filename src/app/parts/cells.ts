/** The cells of what is taken along to a spreadsheet. None becomes a formula there. */
import { escapeFormulas } from '../../contract/formulas';

/** Of a CSV file. */
export const toCsvCell = (text: string): string => `"${escapeFormulas(text).replaceAll('"', '""')}"`;
/** Of the clipboard, where a tab ends a cell, and a quote at the start would take the following cells into this one. */
export const toPlainCell = (text: string): string =>
  escapeFormulas(text.replace(/\s+/g, ' ')).replace(/^(?=\s*")/, "'");
