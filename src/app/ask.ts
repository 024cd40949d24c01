/** Runs for somebody signed in as soon as early.ts has started: asks for the list with which this address opens, beside the scripts that will show it. */
import { askFirst } from './first';
import { firstCall } from './firstCall';
import { apiBase, mountPath } from './place';
import { storedSession } from './stored';

const { token, user } = storedSession();
const url = user && firstCall(user, location.pathname.slice(mountPath().length), location.search);
if (token && url) askFirst(apiBase() + url, token);
