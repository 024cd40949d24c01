import type { Resource } from '../hooks/useResource';
import { STILL_WAITING } from '../state/toasts';
import { Button } from './Button';

type Props = { for: Omit<Resource<unknown>, 'data'>; failure?: string };
/** In place of what is not there yet: that it is awaited, or that it could not be loaded and can be tried again. */
export const Waiting = ({ for: { failed, slow, busy, reload }, failure = 'Could not be loaded.' }: Props) =>
  failed ? (
    <p role="alert">
      {slow ? STILL_WAITING : failure}{' '}
      <Button disabled={busy} onClick={() => void reload()}>
        Retry
      </Button>
    </p>
  ) : (
    <p role="status">{slow ? STILL_WAITING : 'Loading…'}</p>
  );
