import { calls } from '../../contract/allCalls';
import type { CallSpec } from '../../contract/calls';

/** The methods of the calls at a path. */
export const findMethods = (path: string): string[] => [
  ...new Set(
    Object.values<CallSpec>(calls)
      .filter((call) => new RegExp(`^${call.path.replace(/\{\w+\}/g, '[^/]+').replace(/\/$/, '')}/?$`).test(path))
      .map(({ method }) => method),
  ),
];
