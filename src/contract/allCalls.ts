import { appCalls, type CallSpec, type Calls } from './calls';
import { dialogCalls } from './dialogCalls';
import { intakeCalls } from './intakeCalls';
import type { Described } from './schemas/calls';

/** Every call. The app loads those of the screens first, and has no use for those of other systems. */
export const calls: Calls = { ...appCalls, ...dialogCalls, ...intakeCalls } satisfies Record<Described, CallSpec>;
