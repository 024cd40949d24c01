import { useId, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../../ui/Button';
import { CheckBox } from '../../ui/CheckBox';
import { type Column, columns } from './columns';
import type { Columns } from './useColumns';

/** The style sheet leaves the column out, because the window is too narrow for it. */
function isLeftOut(name: string): boolean {
  const head = document.querySelector(`.long .${name}`);
  return head !== null && getComputedStyle(head).display === 'none';
}

/** 'Columns': a check box for each column that can be hidden. Escape or a click elsewhere closes the panel. */
export function ColumnChooser({ list, hidden, hide }: Columns) {
  const [isOpen, setOpen] = useState(false);
  const [leftOut, setLeftOut] = useState('');
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  // In an effect: what was hidden before is shown again by then.
  useLayoutEffect(() => {
    const isPlain = ({ name }: Column) => hidden.includes(name) || !isLeftOut(name);
    if (isOpen) setLeftOut(columns[list].flatMap((one) => (isPlain(one) ? [] : one.name)).join());
  }, [isOpen, list, hidden]);
  return (
    <div
      className="columns"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOpen(false);
      }}
      onKeyDown={({ key }) => {
        if (key !== 'Escape' || !isOpen) return;
        setOpen(false);
        button.current?.focus();
      }}
    >
      <Button ref={button} aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        {/* Users has no room to say how many. */}
        Columns{list !== 'users' && hidden.length > 0 && ` (${hidden.length} hidden)`}
      </Button>
      {isOpen && (
        // A click beside a check box must not take the focus away, which would close the panel.
        <div id={id} role="group" aria-label="Columns that are shown" tabIndex={-1}>
          {columns[list].map(({ name, label }) => (
            <CheckBox
              key={name}
              label={leftOut.split(',').includes(name) ? `${label} (no room)` : label}
              checked={!hidden.includes(name)}
              onChange={(isShown) => hide(isShown ? hidden.filter((other) => other !== name) : [...hidden, name])}
            />
          ))}
          <Button onClick={() => hide([])}>Show all</Button>
        </div>
      )}
    </div>
  );
}
