import { parseTimestamp } from '../../api/parse';

/** Of a row: who has taken it, and until when. */
export interface Claimed {
  claimed_by?: string | null | undefined;
  claimed_until?: string | null | undefined;
}
export type TakeHow = 'take' | 'release' | 'over';

/** Who has a row at this time, and for how many minutes more; null if nobody has. */
export function findClaim({ claimed_by, claimed_until }: Claimed, now: number): { by: string; minutes: number } | null {
  const until = parseTimestamp(claimed_until)?.getTime() ?? 0;
  return claimed_by && until > now ? { by: claimed_by, minutes: Math.ceil((until - now) / 60_000) } : null;
}

/** 'Ann' of 'ann@acme.test'; the name of an API key as it is. */
export const shortName = (name: string): string =>
  (name.split('@')[0] ?? name).replace(/^./, (one) => one.toUpperCase());
