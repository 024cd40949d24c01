import type { Plugin } from 'esbuild';

/** React as modules, and React DOM without what leftOut.mjs lists. */
export const leanReact: Plugin;
/** What is bundled instead of a file of React, for an app of these words. */
export function leanText(path: string, words: ReadonlySet<string>): string;
/** The words in the app and in its router. */
export function wordsOfApp(): Set<string>;
