/** The single statements of a text of SQL. Citus runs one after another on tables that are spread. */

/** Splits at the semicolons outside comments, strings, quoted names and bodies between dollar signs. */
export function splitStatements(text: string): string[] {
  const found = [''];
  const parts =
    /--[^\n]*|\/\*[\s\S]*?\*\/|[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"[^"]*"|(\$\w*\$)[\s\S]*?\1|;|\w+|[\s\S]/g;
  for (const [part] of text.matchAll(parts)) {
    if (part === ';') found.push('');
    else if (!part.startsWith('--') && !part.startsWith('/*')) found.push((found.pop() ?? '') + part);
  }
  return found.map((one) => one.trim()).filter(Boolean);
}
