/** Text as a pattern of `like` that matches the text itself. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** The number that a text may be: the id of a row, as in "22188" or "#22188". */
export const toId = (text: string): number | null =>
  Number(/^#?(\d{1,15})$/.exec(text.trim())?.[1] ?? Number.NaN) || null;
/** The amount that a text may be, as in "24.50", "$1,000" or "25". */
export const toAmount = (text: string): string | null =>
  /^\$?(\d{1,3}(,\d{3})+|\d{1,12})(\.\d{1,2})?$/.test(text.trim()) ? text.trim().replace(/[$,]/g, '') : null;
