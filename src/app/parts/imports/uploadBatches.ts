import { UNKNOWN_OUTCOME } from '../../../contract/constants';
import type { ImportAnswer, ImportReject } from '../../../contract/entities';
import { toAmount } from '../../api/amount';
import { ApiError } from '../../api/client';
import { isObject } from '../../api/parse';
import { type Batch, splitCsv } from './splitCsv';

/** What has happened to the rows so far, as the server reported. */
export interface Progress {
  /** How much of the file is done. */
  bytes: number;
  rows: number;
  created: number;
  existing: number;
  /** In a check: rows that repeat an earlier row of the file. */
  repeated: number;
  rejects: readonly ImportReject[];
  ignored: readonly string[];
}
export const noProgress: Progress = {
  bytes: 0,
  rows: 0,
  created: 0,
  existing: 0,
  repeated: 0,
  rejects: [],
  ignored: [],
};

export interface UploadOptions {
  send: (batch: Batch) => Promise<ImportAnswer>;
  onProgress: (progress: Progress) => void;
  /** Checked before each batch. */
  isStopped: () => boolean;
  /** The pauses before each retry of a batch, in milliseconds. */
  pauses?: readonly number[];
}

/**
 * Uploads a file in batches, from where `progress` ends, until its end or until it is stopped. A batch whose answer was
 * lost is sent again, which is safe: rows that exist are left as they are. Throws if the server refuses a batch or
 * stays unreachable.
 */
export async function uploadBatches(
  file: Blob,
  progress: Progress,
  { send, onProgress, isStopped, pauses = [500, 1500, 3000] }: UploadOptions,
): Promise<Progress> {
  const seen = new Set<string>();
  for await (const batch of splitCsv(file)) {
    if (batch.end <= progress.bytes) continue;
    const answer = await sendWithRetries(() => send(batch), pauses, isStopped);
    if (answer === null) return progress;
    progress = addAnswer(progress, parseAnswer(answer), batch.end, seen);
    onProgress(progress);
    if (isStopped()) return progress;
  }
  return progress;
}

/** Worth a retry: no answer, too many requests, the server is just starting, or nobody knows whether it was done. */
const isTemporary = (error: unknown): boolean =>
  error instanceof ApiError && ([0, 429, 502, 503, 504].includes(error.status) || error.code === UNKNOWN_OUTCOME);

/** Null if it was stopped while it waited. */
async function sendWithRetries<T>(
  call: () => Promise<T>,
  pauses: readonly number[],
  isStopped: () => boolean,
): Promise<T | null> {
  for (let tried = 0; ; tried++) {
    if (isStopped()) return null;
    try {
      return await call();
    } catch (error) {
      const ms = pauses[tried];
      if (ms === undefined || !isTemporary(error)) throw error;
      for (let waited = 0; waited < ms && !isStopped(); waited += 250)
        await new Promise((resolve) => setTimeout(resolve, Math.min(250, ms - waited)));
    }
  }
}

function addAnswer(
  before: Progress,
  { created, existing, rejects, ignored_columns, keys }: ImportAnswer,
  bytes: number,
  seen: Set<string>,
): Progress {
  const repeated = keys.filter((key) => {
    const parts = key.split(' '),
      isKnown = parts.some((part) => seen.has(part));
    for (const part of parts) seen.add(part);
    return isKnown;
  }).length;
  return {
    bytes,
    rows: before.rows + created + existing + rejects.length,
    created: before.created + created - repeated,
    existing: before.existing + existing,
    repeated: before.repeated + repeated,
    rejects: rejects.length ? [...before.rejects, ...rejects] : before.rejects,
    ignored: before.bytes === 0 ? ignored_columns : before.ignored,
  };
}

const toArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const count = (value: unknown): number => Math.max(0, toAmount(value) ?? 0);

/** Parses any server's answer: the counts, and the rejects as far as they can be read. */
function parseAnswer(answer: unknown): ImportAnswer {
  const field = (name: string): unknown => (isObject(answer) ? answer[name] : undefined);
  const rejects = toArray(field('rejects')).filter(isObject);
  const texts = (name: string) => toArray(field(name)).filter((one) => typeof one === 'string');
  return {
    created: count(field('created')),
    existing: count(field('existing')),
    rejects: rejects.map(({ line, column, reason = '' }) => ({
      line: count(line),
      column: typeof column === 'string' ? column : null,
      reason: String(reason),
    })),
    ignored_columns: texts('ignored_columns'),
    keys: texts('keys'),
  };
}
