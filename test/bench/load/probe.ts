/** What runs inside the page, before any of its own scripts. */

export interface Probe {
  /** Milliseconds since the visit began until what was waited for had been painted; 0 as long as it is not. */
  at: number;
  /** The same for the first part of it, such as the rows in view. */
  partAt: number;
  /** Total blocking time: what of each long task was over 50 ms. */
  blocked: number;
  /** The last click, on the page's clock. */
  clickedAt: number;
  /** The events since, each with the time from the event to the next paint. */
  events: { name: string; startTime: number; duration: number }[];
  /** Starts waiting for something, and for a first part of it, to stand in a painted frame. */
  wait(condition: () => boolean, part?: () => boolean): void;
}

/** Conditions, as source text: the forms, the rows, a dialog. */
export const conditions = {
  login: `(() => {
    const fields = document.querySelectorAll('input[type=email], input[type=password]');
    return fields.length === 2 && fields[0].offsetHeight > 0 && !fields[0].disabled;
  })()`,
  /** As many rows, the first and the last of them other than before. */
  rows: (count: number, before: readonly (string | undefined)[] = []) =>
    `(() => {
      const rows = document.querySelectorAll('tbody tr');
      return rows.length === ${count} && rows[${count - 1}].textContent.includes('@') &&
        [0, ${count - 1}].every((at) => rows[at].textContent !== ${JSON.stringify(before)}[at]);
    })()`,
  /** The first 20 rows, which is more than the window shows, are others than before. */
  rowsInView: (before: readonly string[]) =>
    `(() => {
      const rows = document.querySelectorAll('tbody tr');
      return rows.length >= 20 && [0, 19].every((at) =>
        rows[at].textContent.includes('@') && rows[at].textContent !== ${JSON.stringify(before)}[at]);
    })()`,
  dialog: `document.querySelector('dialog[open] input') !== null`,
};

/** The source of a script that sets `window.probe` up and waits for `condition`. */
export const probeSource = (condition: string) => `(${install})(() => ${condition});`;

function install(condition: () => boolean): void {
  const probe: Probe = {
    at: 0,
    partAt: 0,
    blocked: 0,
    clickedAt: 0,
    events: [],
    wait(isThere, isPartThere = isThere) {
      probe.at = probe.partAt = 0;
      let isPartSeen = false;
      // A message sent from a frame's callback arrives after that frame's painting.
      const afterPaint = (then: () => void) => {
        const channel = new MessageChannel();
        channel.port1.onmessage = then;
        channel.port2.postMessage(null);
      };
      const look = () => {
        if (!isPartSeen && isPartThere()) {
          isPartSeen = true;
          afterPaint(() => {
            probe.partAt = performance.now();
          });
        }
        if (isThere())
          afterPaint(() => {
            probe.at = performance.now();
          });
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    },
  };
  new PerformanceObserver((list) => {
    for (const task of list.getEntries()) probe.blocked += Math.max(0, task.duration - 50);
  }).observe({ type: 'longtask', buffered: true });
  new PerformanceObserver((list) => {
    for (const { name, startTime, duration } of list.getEntries()) probe.events.push({ name, startTime, duration });
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
  addEventListener(
    'click',
    (event) => {
      probe.clickedAt = event.timeStamp;
    },
    true,
  );
  Object.assign(window, { probe });
  probe.wait(condition);
}
