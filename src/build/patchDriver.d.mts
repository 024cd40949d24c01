import type { Plugin } from 'esbuild';

export const patchDriver: Plugin;
