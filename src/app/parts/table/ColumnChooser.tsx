import { useId, useRef, useState } from 'react';
import { NARROW, useMediaQuery } from '../../hooks/useMediaQuery';
import { columns } from './columns';
import { isInUsualOrder, usualLayout } from './layout';
import type { Columns } from './useColumns';

/**
 * 'Columns': a panel with a check box for each column that can be hidden, buttons that move it, and how close the rows
 * are. Escape or a click elsewhere closes it.
 */
export function ColumnChooser({ list, layout, change }: Columns) {
  const { order, hidden, isCompact } = layout;
  const [isOpen, setOpen] = useState(false);
  const isNarrow = useMediaQuery(NARROW);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const labelOf = (name: string) => columns[list].find((column) => column.name === name)?.label ?? name;
  const move = (from: number, to: number) => {
    const next = [...order];
    next.splice(to, 0, ...next.splice(from, 1));
    change({ order: next });
  };
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
      <button
        ref={button}
        type="button"
        className="secondary"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {/* Users has no room to say how many. */}
        Columns{list !== 'users' && hidden.length > 0 && ` (${hidden.length} hidden)`}
      </button>
      {isOpen && (
        // A click beside a check box must not take the focus away, which would close the panel.
        <div id={id} role="group" aria-label="Columns that are shown" tabIndex={-1}>
          {order.map((name, place) => (
            <div key={name} className="column">
              <label>
                <input
                  type="checkbox"
                  checked={!hidden.includes(name)}
                  onChange={({ target }) =>
                    change({ hidden: target.checked ? hidden.filter((other) => other !== name) : [...hidden, name] })
                  }
                />
                {labelOf(name)}
              </label>
              {/* On a phone each row is a card, whose places are fixed. */}
              {!isNarrow &&
                ([-1, 1] as const).map((step) => (
                  <button
                    key={step}
                    type="button"
                    className="secondary"
                    aria-label={`Move ${labelOf(name)} ${step < 0 ? 'up' : 'down'}`}
                    aria-disabled={order[place + step] === undefined}
                    onClick={() => order[place + step] !== undefined && move(place, place + step)}
                  >
                    <span aria-hidden="true">{step < 0 ? '↑' : '↓'}</span>
                  </button>
                ))}
            </div>
          ))}
          <div className="column">
            <button type="button" className="secondary" onClick={() => change({ hidden: [] })}>
              Show all
            </button>
            {!isInUsualOrder(list, layout) && (
              <button type="button" className="secondary" onClick={() => change({ order: usualLayout(list).order })}>
                Usual order
              </button>
            )}
          </div>
          <label>
            <input
              type="checkbox"
              checked={isCompact}
              onChange={({ target }) => change({ isCompact: target.checked })}
            />
            Compact rows
          </label>
        </div>
      )}
    </div>
  );
}
