/**
 * Puts the value of a variable that is set once and read but once or twice in its place. Only plain values: one that reads another variable
 * would be another there. What `sources` name stays.
 */
export function inlineOnce(css, sources = '') {
  const names = [...new Set([...css.matchAll(/[{;](--[\w-]+):/g)].map(([, name]) => name))];
  return names.reduce((sheet, name) => {
    const declared = [...sheet.matchAll(new RegExp(`([{;])${name}:\\s*([^;{}]*)(;|(?=}))`, 'g'))];
    const reads = [...sheet.matchAll(new RegExp(`var\\(${name}\\b(?!-)(,[^()]*(\\([^()]*\\)[^()]*)*)?\\)`, 'g'))];
    const [[whole, before, value] = []] = declared;
    if (declared.length !== 1 || reads.length > 2 || sheet.split(name).length - 1 !== reads.length + 1 || /var\(|url\(|"/.test(value) || sources.includes(name)) return sheet;
    const isRoot = /(^|[},])\s*(\/\*.*?\*\/)?:root\{[^{}]*$/s.test(sheet.slice(0, declared[0].index + 1));
    if (!isRoot) return sheet;
    return reads.reduce((text, [read]) => text.replace(read, () => value), sheet.replace(whole, () => before));
  }, css);
}
