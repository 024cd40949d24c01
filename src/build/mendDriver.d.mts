import type { Plugin } from 'esbuild';

export const mendDriver: Plugin;
