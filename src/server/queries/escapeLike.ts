/** Text as a pattern of `like` that matches the text itself. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
