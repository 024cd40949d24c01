/** The whole app, from its root: the login, or the screens of somebody who is signed in. */
import { render } from '@testing-library/react';
import { Root } from '../../src/app/Root';
import { closeScreen, keepSession, newLine, type Options } from '../screen';
import { type Person, reset } from '../world';
import { interceptRequests } from './network';

/** The page as it is loaded, in the world as it is. */
export function drawRoot({ fetch, instead, path }: Options = {}) {
  if (path) history.replaceState(null, '', path);
  const { fetch: line, ...sent } = interceptRequests(instead, fetch);
  return Object.assign(render(<Root fetch={newLine(line)} />), sent);
}

/** In a new world, at an address; `user`: what the session says of the person instead. */
export async function openRoot(person: Person | null, { path = '/', ...options }: Options & { user?: object } = {}) {
  closeScreen();
  await reset();
  if (person) await keepSession(person, options);
  await options.before?.();
  return drawRoot({ ...options, path });
}
