import { useState } from 'react';
import { applyColourMode, colourModes, saveColourMode, storedColourMode } from './storage';

/** Switches between light, dark and the system's colours. */
export function ColourModeSwitch() {
  const [mode, setMode] = useState(storedColourMode);
  return (
    <label className="colour-mode">
      Colour mode
      <select
        aria-label="Colour mode"
        value={mode}
        onChange={(event) => {
          const chosen = colourModes.find((known) => known === event.target.value) ?? 'system';
          saveColourMode(chosen);
          applyColourMode(chosen);
          setMode(chosen);
        }}
      >
        <option value="system">System</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  );
}
