/** For somebody signed in: asks for the list with which this address opens, beside the scripts that will show it. */
import { askFirst } from './first';
import { firstCall } from './firstCall';
import { apiBase, mountPath } from './place';
import { storedStaff } from './stored';

export function ask(token: string): void {
  const user = storedStaff();
  const url = user && firstCall(user, location.pathname.slice(mountPath().length), location.search);
  if (url) askFirst(apiBase() + url, token);
}
