import type { SendOptions } from '../api/client';
import { type ActionOptions, useAction } from '../hooks/useAction';
import { type Question, useQuestion } from './useQuestion';

/** An action that is asked about first. `ask` resolves to whether it was done; a reason goes along. Render `dialog`. */
export function useAskedAction<In extends object, Out>(
  call: (input: In, options: SendOptions) => Promise<Out>,
  { done, failed, onDone, ...asked }: ActionOptions<Out> & Question,
) {
  const { busy, run } = useAction(call, { done, failed, ...(onDone && { onDone }) });
  const { ask, dialog } = useQuestion(asked);
  return {
    busy,
    dialog,
    ask: async (input: In): Promise<boolean> => {
      const why = await ask();
      return why !== null && run({ ...input, ...why });
    },
  };
}
