/** Whether the browser's cache still has the list an address opens with. Knows no React. */
const RECENT_MS = 600_000; // sessions rest three times as long before they end by themselves
/** Remembers that the list at this address came just now and lies in the browser's cache for this session alone. What was searched for is not kept. */
export function keepAsked(url: string): void {
  if (!url.includes('search=')) localStorage.setItem('asked', `${Date.now()} ${url}`);
}
/** Whether it came a few minutes ago. */
export function wasAsked(url: string): boolean {
  const [at, asked] = (localStorage.getItem('asked') ?? '').split(' ');
  return asked === url && Math.abs(Date.now() - Number(at)) < RECENT_MS;
}
