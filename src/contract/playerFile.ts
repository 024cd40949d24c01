/** Limits of what staff keep on a player. Apart from the other constants: only who opens a player's view needs them. */

/** Characters of a note, characters of a tag, tags of one player. */
export const PLAYER_NOTE_MAX = 2000;
export const TAG_MAX = 40;
export const TAGS_MAX = 20;
/** Rows of one part of the player's view. */
export const PLAYER_ROWS = 100;
