const counts = new Intl.NumberFormat('en-US');
/** A whole number with separators: 11,002. */
export const formatCount = (count: number): string => counts.format(count);
/** '1 redeem', '11,002 redeems'. */
export const formatCountOf = (count: number, one: string): string =>
  `${formatCount(count)} ${count === 1 ? one : `${one}s`}`;
