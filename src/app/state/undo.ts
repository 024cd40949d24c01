/** Whether a decision waits for an undo before it is sent. On unless the person has turned it off in this browser. */
const KEY = 'undo';
export const hasUndo = (): boolean => localStorage.getItem(KEY) !== 'off';
export function saveUndo(isOn: boolean): void {
  if (isOn) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, 'off');
}
