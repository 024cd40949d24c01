import { useCallback, useEffect, useRef, useState } from 'react';
import type { ImportBatch } from '../../../contract/entities';
import type { ImportKind } from '../../../contract/imports';
import { ApiError } from '../../api/client';
import { useApi } from '../../state/session';
import { sayWhenSlow, useToast } from '../../state/toasts';
import { UnreadableFile } from './splitCsv';
import { noProgress, type Progress, uploadBatches } from './uploadBatches';

/** `chosen`: before the check, with a file or none. `checked`, `done`: finished. `stopped`: by user or `problem`. */
export type Phase = 'chosen' | 'checking' | 'checked' | 'importing' | 'stopped' | 'done';
export interface ImportState {
  file: File | null;
  phase: Phase;
  problem: string | null;
  progress: Progress;
  /** The result of the check. */
  found: Progress;
}
const initial: ImportState = { file: null, phase: 'chosen', problem: null, progress: noProgress, found: noProgress };

/** `problem` is null too if the user stopped it, or for an error that has a message of its own. */
function end(state: ImportState, problem: string | null): ImportState {
  const { file, phase, progress } = state;
  // An empty file is read to its end, too.
  const isWhole = problem === null && file !== null && progress.bytes >= file.size;
  if (phase === 'importing') return { ...state, problem, phase: isWhole ? 'done' : 'stopped' };
  return isWhole ? { ...state, problem, phase: 'checked', found: progress } : { ...state, problem, phase: 'chosen' };
}

const failures = { checking: 'Failed to check the file', importing: 'Failed to import the file' };
/** What the user can read about an error; null if the message of the failure says it all. */
function describe(error: unknown): string | null {
  if (error instanceof ApiError) return error.detail ?? null;
  return error instanceof UnreadableFile ? error.message : 'The file can no longer be read. Choose it again.';
}

/** Imports a file: checks it first, then imports it, and continues where it was stopped. */
export function useImport(kind: ImportKind, tenantId: number | undefined, onImported: () => unknown) {
  const api = useApi();
  const toast = useToast();
  const [state, setState] = useState(initial);
  const change = (patch: Partial<ImportState>) => setState((old) => ({ ...old, ...patch }));
  const isStopped = useRef(false);
  const stop = useCallback(() => void (isStopped.current = true), []);
  useEffect(() => stop, [stop]);
  const { file } = state;

  async function upload(phase: 'checking' | 'importing', from: Progress, onProgress: (next: Progress) => void) {
    if (!file || tenantId === undefined) return;
    const about: Partial<ImportBatch> =
      phase === 'importing' ? { file_name: file.name.slice(-255), file_sha256: await hashFile(file) } : {};
    const call = phase === 'checking' ? api.checkImport : api.importRows;
    await uploadBatches(file, from, {
      onProgress,
      isStopped: () => isStopped.current,
      send: ({ header, rows, firstLine }) => {
        const answered = sayWhenSlow(toast);
        return call({ body: { tenant_id: tenantId, kind, header, rows, first_line: firstLine, ...about } }).finally(
          answered,
        );
      },
    });
  }

  async function go(phase: 'checking' | 'importing', from: Progress) {
    if (!file || tenantId === undefined) return;
    isStopped.current = false;
    change({ phase, problem: null, progress: from });
    let { created, existing } = from;
    let problem: string | null = null;
    try {
      await upload(phase, from, (progress) => {
        ({ created, existing } = progress);
        change({ progress });
      });
    } catch (error) {
      problem = describe(error);
      if (problem === null) toast.error(failures[phase]);
    }
    setState((old) => end(old, problem));
    // Existing rows count, too: they may be new rows whose answer was lost.
    if (phase === 'importing' && created + existing > 0) await onImported();
  }

  return {
    ...state,
    isRunning: state.phase === 'checking' || state.phase === 'importing',
    choose: (file: File | null) => setState({ ...initial, file }),
    check: () => go('checking', noProgress),
    start: () => go('importing', state.phase === 'stopped' ? state.progress : noProgress),
    /** The batch that was sent is still answered. */
    stop,
  };
}

/** The hash for the audit log; undefined on a page without TLS, where browsers have no `crypto.subtle`. */
async function hashFile(file: File): Promise<string | undefined> {
  const { subtle } = globalThis.crypto;
  if (!subtle) return undefined;
  const hash = new Uint8Array(await subtle.digest('SHA-256', await file.arrayBuffer()));
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
