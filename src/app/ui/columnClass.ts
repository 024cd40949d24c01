/** The class of a cell in a long list: its column, which the style sheet places, and whether it says nothing. */
export const columnClass = (column: string, text: string): string => (text === '-' ? `${column} none` : column);
