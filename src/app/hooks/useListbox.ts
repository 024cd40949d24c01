import { type KeyboardEvent, type MouseEvent, useId, useState } from 'react';

/** The keys and attributes of an input that chooses from a list below it, in screen order, and keeps the focus. */
export function useListbox<T>(options: readonly T[], onChoose: (option: T) => void) {
  const id = useId();
  const [active, setActive] = useState(0);
  const last = options.length - 1;
  const at = Math.min(active, last);
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: at === last ? 0 : at + 1,
    ArrowUp: at === 0 ? last : at - 1,
    Home: 0,
    End: last,
  };
  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.nativeEvent.isComposing) return;
    const option = options[at],
      next = moves[event.key];
    if (!option || (next === undefined && event.key !== 'Enter')) return;
    event.preventDefault();
    if (next === undefined) onChoose(option);
    else setActive(next);
  }
  return {
    id,
    at,
    setActive,
    onKeyDown,
    input: {
      id,
      role: 'combobox',
      autoComplete: 'off',
      'aria-autocomplete': 'list',
      'aria-expanded': options.length > 0,
      'aria-controls': `${id}-list`,
      'aria-activedescendant': options.length ? `${id}-${at}` : undefined,
    },
    list: { id: `${id}-list`, role: 'listbox', hidden: !options.length },
    option: (index: number) => ({
      id: `${id}-${index}`,
      role: 'option',
      'aria-selected': index === at,
      onMouseDown: (event: MouseEvent) => event.preventDefault(), // keeps the focus in the input
      onClick: () => {
        const chosen = options[index];
        if (chosen) onChoose(chosen);
      },
    }),
  } as const;
}
