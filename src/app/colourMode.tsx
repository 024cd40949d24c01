import { useState } from 'react';

export const colourModes = ['system', 'light', 'dark'] as const;
export type ColourMode = (typeof colourModes)[number];

/** The mode kept in local storage (spec 9); nothing kept, or nothing we know, is the system's. */
export const storedMode = (): ColourMode => colourModes.find((mode) => mode === localStorage.getItem('colour_mode')) ?? 'system';

/** Shows a mode; the style sheet reads it off the root element. */
export function showMode(mode: ColourMode): void {
  if (mode === 'system') document.documentElement.removeAttribute('data-theme');
  else document.documentElement.setAttribute('data-theme', mode);
}

/** The switch between light, dark and whatever the system says. */
export function ColourModeSwitch() {
  const [mode, setMode] = useState(storedMode);
  return (
    <select className="colour-mode" aria-label="Colour mode" value={mode} onChange={(event) => {
      const chosen = colourModes.find((known) => known === event.target.value) ?? 'system';
      localStorage.setItem('colour_mode', chosen);
      showMode(chosen);
      setMode(chosen);
    }}>
      <option value="system">System</option>
      <option value="light">Light</option>
      <option value="dark">Dark</option>
    </select>
  );
}
