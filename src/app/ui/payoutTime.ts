/** The spans of times from the request of a redeem to its payout, in words. */
import { payoutSeconds } from '../../contract/overview';

const nameSeconds = (seconds: number): string =>
  seconds < 5400 ? `${seconds / 60} min` : seconds < 172_800 ? `${seconds / 3600} h` : `${seconds / 86_400} d`;
/** The time within which the payouts of a span of times were made. */
export const nameWithin = (key: number): string => {
  const end = payoutSeconds[key];
  return end ? `within ${nameSeconds(end)}` : `after more than ${nameSeconds(payoutSeconds.at(-1) ?? 0)}`;
};
/** The end of a span of times, below its column. */
export const nameTime = (key: number): string => {
  const end = payoutSeconds[key];
  return end ? nameSeconds(end) : 'more';
};
