import { useReducer } from 'react';
import { applyColourMode, colourModes, saveColourMode, storedColourMode } from './storage';

/** Switches between light, dark and the system's colours. */
export function ColourModeSwitch() {
  const [, render] = useReducer((count: number) => count + 1, 0);
  return (
    <label className="colour-mode">
      Colour mode
      <select
        aria-label="Colour mode"
        value={storedColourMode()} // the search changes it, too
        onChange={(event) => {
          const chosen = colourModes.find((known) => known === event.target.value) ?? 'system';
          saveColourMode(chosen);
          applyColourMode(chosen);
          render();
        }}
      >
        <option value="system">System</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  );
}
