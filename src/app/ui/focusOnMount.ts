/** A ref that focuses its element when it is mounted. The attribute `autofocus` works in a new page or dialog only. */
export const focusOnMount = (element: HTMLElement | null): void => element?.focus();
