/** Sends a call again when its answer was lost. All tries have one `Idempotency-Key`, so they have one effect. */
import { UNKNOWN_OUTCOME } from '../../contract/constants';
import { ApiError, type SendOptions } from './client';

/** The pauses before each repeat, in milliseconds. */
const PAUSES = [500, 1500, 3000, 5000];
/** Our server says in these words that nothing was done. */
const notDone = ['internal', 'unavailable', 'busy'];
/** These refusals are kept with the key, so they are the answer to the first try as well. */
const decided = [400, 404, 409];

export const UNKNOWN = 'It is not known whether this was done. Look first before you do it again.';
export const isUnknownOutcome = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === UNKNOWN_OUTCOME;

/** A key that nobody else has: 128 random bits. `crypto.randomUUID` needs https. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Whether a call that failed may have been done: there is no answer, or one from something between us and the server. */
const mayBeDone = ({ status, code = '' }: ApiError): boolean =>
  status < 300 || (status >= 500 && !notDone.includes(code));
/** Whether a repeat may bring an answer. */
const helpsToRepeat = ({ status }: ApiError, isUnknown: boolean): boolean =>
  isUnknown ? status < 300 || status === 429 || status >= 500 : status === 503;

interface RepeatOptions {
  idempotencyKey: string;
  /** Called before each repeat. */
  onRepeat: () => void;
  /** False once somebody else is signed in, or nobody: a repeat would be theirs. */
  mayRepeat?: () => boolean;
  pauses?: readonly number[];
}

/** Makes a call until its outcome is known, at most five times (without a key: once); else throws `unknown_outcome`. */
export async function callUntilKnown<T>(
  call: (options: SendOptions) => Promise<T>,
  { idempotencyKey, onRepeat, mayRepeat = () => true, pauses = PAUSES }: RepeatOptions,
): Promise<T> {
  let isUnknown = false;
  for (let tried = 0; ; tried++) {
    const isSent = navigator.onLine !== false; // without a connection nothing leaves the browser
    try {
      return await call({ idempotencyKey });
    } catch (error) {
      if (!(error instanceof ApiError && error.hasKey)) throw error;
      isUnknown ||= isSent && mayBeDone(error);
      const ms = pauses[tried];
      if (ms !== undefined && helpsToRepeat(error, isUnknown) && mayRepeat()) {
        onRepeat();
        await new Promise((resolve) => setTimeout(resolve, ms));
        if (mayRepeat()) continue;
      }
      if (isUnknown && !decided.includes(error.status))
        throw new ApiError(error.status, UNKNOWN, { code: UNKNOWN_OUTCOME, cause: error });
      throw error;
    }
  }
}
