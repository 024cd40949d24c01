import { useState } from 'react';
import { colourModes, saveColourMode, applyColourMode, storedColourMode } from './storage';

/** The switch between light, dark and whatever the system says. */
export function ColourModeSwitch() {
  const [mode, setMode] = useState(storedColourMode);
  return (
    <select className="colour-mode" aria-label="Colour mode" value={mode} onChange={(event) => {
      const chosen = colourModes.find((known) => known === event.target.value) ?? 'system';
      saveColourMode(chosen);
      applyColourMode(chosen);
      setMode(chosen);
    }}>
      <option value="system">System</option>
      <option value="light">Light</option>
      <option value="dark">Dark</option>
    </select>
  );
}
