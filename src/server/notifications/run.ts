/** What the server does about notifications in the background. */
import type { Log } from '../core/log';
import { type DeliveryOptions, deliverDue } from './deliver';
import { evaluate, sweepNotifications } from './evaluate';
import { publishEvents, sweepEvents } from './publishEvents';
import { sendSignInMail, sweepSignInMail } from './signInMail';

const PUBLISH_MS = 1_000,
  DELIVER_MS = 2_000,
  EVALUATE_MS = 10_000, // the first server that sees that a minute has passed does it
  SWEEP_MS = 3_600_000;

/** Starts it. Returns how to stop it, which waits for what is under way. */
export function runNotifications(options: DeliveryOptions, log: Log): () => Promise<void> {
  let isStopped = false;
  const stops = [
    repeat(EVALUATE_MS, () =>
      evaluate(options.db, (error, rule) =>
        log.warn({ err: error, rule }, 'a notification rule could not be evaluated'),
      ),
    ),
    repeat(PUBLISH_MS, () => publishEvents(options.db, () => isStopped)),
    repeat(DELIVER_MS, () => deliverDue(options, () => isStopped)),
    repeat(DELIVER_MS, () => sendSignInMail(options)),
    repeat(SWEEP_MS, () => sweepSignInMail(options.db.sql)),
    repeat(SWEEP_MS, () => sweepNotifications(options.db.sql)),
    repeat(SWEEP_MS, () => sweepEvents(options.db.sql)),
  ];
  return async () => {
    isStopped = true;
    await Promise.all(stops.map((stop) => stop()));
  };

  /** Never twice at once. */
  function repeat(ms: number, work: () => Promise<unknown>): () => Promise<void> {
    let running: Promise<unknown> = Promise.resolve(),
      isRunning = false;
    const timer = setInterval(() => {
      if (isRunning) return;
      isRunning = true;
      running = work()
        .catch((error: unknown) => log.warn({ err: error }, 'notifications could not be processed'))
        .finally(() => {
          isRunning = false;
        });
    }, ms);
    timer.unref();
    return async () => {
      clearInterval(timer);
      await running;
    };
  }
}
