/** A player's break from playing and own limits (docs/extras/protection.md). */

/** What can be limited, and for how long at a time; a week begins on Sunday, as in the figures. */
export const limitedMoney = ['purchase', 'deposit'] as const;
export type LimitedMoney = (typeof limitedMoney)[number];
export const limitSpans = ['day', 'week', 'month'] as const;
export type LimitSpan = (typeof limitSpans)[number];
/** A limit that is raised or removed counts after so many hours; one that is cut counts at once. */
export const RAISE_HOURS = 24;

/** Why money that has arrived needs a person: a break, the player's own limit, a refused region or age. */
export const attentions = ['excluded', 'over_limit', 'refused_region', 'too_young'] as const;
/** Also the `code` of the 409 of a request that is refused for it. */
export type Attention = (typeof attentions)[number];
