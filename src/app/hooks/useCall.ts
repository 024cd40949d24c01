import type { SendOptions } from '../api/client';
import type { ErrorMessage } from './useErrorToast';
import { type Resource, useResource } from './useResource';

/** The answer of one call, made again when its input changes; null loads nothing. For more there is `useResource`. */
export const useCall = <In, Out>(
  call: (input: In, options: SendOptions) => Promise<Out>,
  input: NoInfer<In> | null,
  failed: ErrorMessage,
): Resource<Out> =>
  useResource(input === null ? null : (signal) => call(input, { signal }), [call, JSON.stringify(input)], failed);
