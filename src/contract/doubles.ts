/** Players who may be one person (docs/extras/protection.md). */

/** What two of them have alike. Devices are not known here. */
export const likenesses = ['payout_address', 'phone', 'name_and_birth_date'] as const;
export type Likeness = (typeof likenesses)[number];

/** So many pairs are on a page, or one or two more. */
export const DOUBLES_PAGE = 100;
/** So many can be linked with each other. */
export const LINKED_MAX = 20;
