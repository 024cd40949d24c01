/** What the tests of the Users dialogs share. */
import { fireEvent, within } from '@testing-library/react';
import type { Screen } from '../../../screen';
import { pam } from '../../../world';
import { dialogOf } from '../../controls';

/** Clicks an action of Pam's row and gives back the dialog it opens. */
export async function openDialog(screen: Screen, action: string, title = action) {
  const row = within((await screen.findByRole('link', { name: pam.email })).closest('tr')!);
  const button = row.queryByText(action);
  if (button) fireEvent.click(button);
  else {
    fireEvent.click(row.getByRole('button', { name: `Actions for ${pam.email}` }));
    fireEvent.click(await screen.findByRole('menuitem', { name: action }));
  }
  return dialogOf(screen, title);
}
