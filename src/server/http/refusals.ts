import type { Socket } from 'node:net';
import { stripAddress } from './clientAddress';

/** A request that the app has not seen, for the log. `not_logged`: how many before it are not there. */
export interface Refusal {
  address: string;
  /** 0 when the connection was closed without an answer. */
  status: number;
  not_logged?: number;
}

const PER_MINUTE = 60,
  MINUTE_MS = 60_000;

/** Passes on so many refusals a minute, so that nobody fills the log with them. */
export function limitRefusals(
  log: (refusal: Refusal) => void,
  now: () => number = () => performance.now(),
): (socket: Pick<Socket, 'remoteAddress'>, status: number) => void {
  let begun = -Infinity,
    count = 0;
  return ({ remoteAddress = 'unknown' }, status) => {
    const address = stripAddress(remoteAddress);
    if (now() - begun >= MINUTE_MS) {
      const not_logged = count - PER_MINUTE;
      begun = now();
      count = 1;
      return log({ address, status, ...(not_logged > 0 && { not_logged }) });
    }
    if (++count <= PER_MINUTE) log({ address, status });
  };
}
