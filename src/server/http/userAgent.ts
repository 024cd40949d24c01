const browsers = [
  [/\bEdg/, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/Chrom(e|ium)\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const;
const systems = [
  [/Windows/, 'Windows'],
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Mac OS X/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/Linux/, 'Linux'],
] as const;

/** Describes a browser by its User-Agent: enough to recognize it in a list, without repeating the sender's text. */
export function describeBrowser(userAgent: string | undefined): string {
  const find = (names: readonly (readonly [RegExp, string])[]) =>
    names.find(([pattern]) => pattern.test((userAgent ?? '').slice(0, 500)))?.[1];
  const browser = find(browsers),
    system = find(systems);
  return browser && system ? `${browser} on ${system}` : (browser ?? 'Unknown');
}
