/** The balances of a player, and what is held of them. */
export const balanceLabels = { credit: 'Credit', bonus: 'Bonus', vip: 'VIP', loyalty: 'Loyalty', held: 'Held' };
