/** What is never anything else in React DOM once its feature is gone, and what it is. */
export const constants: Readonly<Record<string, string>>;
/** Importing one of these fails the build. */
export const exportsLeftOut: readonly string[];
/** Properties of events that are not delivered. */
export const eventsLeftOut: readonly string[];
