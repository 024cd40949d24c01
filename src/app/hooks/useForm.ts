import { type FormEvent, useRef, useState } from 'react';
import { TOAST_MS } from '../../contract/constants';
import { ApiError, type SendOptions } from '../api/client';
import { useAction } from './useAction';
import { type FormDraft, useDraft } from './useDraft';
import { detailOr } from './useErrorToast';
import { useMarks } from './useMarks';

interface Options<T, Out> {
  initial: T;
  /** The name under which the tab keeps what was typed; without it nothing is kept. */
  draft?: string;
  /** Fields that are never kept. */
  secrets?: readonly (keyof T)[];
  /** Whether to send it, or anything made of it for yes; or why not, as a message. */
  check?: (values: T) => boolean | string | object;
  send: (values: T, options: SendOptions) => Promise<Out>;
  /** The toast after success; null shows none. */
  done: string | ((out: Out) => string) | null;
  failed: string | ((error: unknown, values: T) => string);
  /** How long a toast about an error is shown. */
  errorMs?: number;
  /** The names of the server's fields whose errors are shown at the input, by `errorAt`. */
  shownAt?: readonly string[];
  /** Runs after success, and after a 404 or 409, which mean that the screen was out of date. */
  reload?: () => unknown;
  /** After it was saved. Without it the form stays, with its initial values. */
  onDone?: () => void;
}

/** What a dialog is given that saves something. */
export interface Saving {
  onClose: () => void;
  /** After it was saved, before the dialog closes: usually a reload. */
  onSaved: () => Promise<unknown>;
}

/** The server's reason for an error, which stays in the form when the toast that told it has gone. */
export interface FormReason {
  text: string;
  /** The field that it is about and that shows it; '' if there is none. */
  at: string;
  /** How long the toast is shown. */
  ms: number;
}

type BoxField<T> = { [K in keyof T]: T[K] extends boolean ? K : never }[keyof T];
type TextField<T> = { [K in keyof T]: T[K] extends string ? K : never }[keyof T] & string;

export interface Form<T> {
  values: T;
  set: (patch: Partial<T>) => void;
  /** Props of the input of a text; with the error of the server if it is one of `shownAt`. */
  field: (key: TextField<T>) => {
    name: string;
    value: string;
    onChange: (event: TextEvent) => void;
    error?: string | undefined;
  };
  /** Props of a check box. */
  box: (key: BoxField<T>) => { checked: boolean; onChange: (isOn: boolean) => void };
  reason: FormReason;
  /** Why the server refused this field. */
  errorAt: (field: string) => string | undefined;
  busy: boolean;
  /** With values that no input has: which of two buttons it was. */
  submit: (also?: Partial<T>) => Promise<void>;
  onSubmit: (event: FormEvent) => void;
  /** Back to the initial values, unless something was typed since. */
  reset: () => void;
  /** Props of a `FormDialog`. */
  dialog: { draft: FormDraft; busy: boolean; reason: FormReason } & Record<'onSubmit' | 'onCancel', () => void>;
}
interface TextEvent {
  target: { value: string };
}

/** 'body.api_key: is required' names the field `api_key`, 'A user with this email already exists' the field `email`. */
const fieldOf = (error: unknown): string => {
  const named = /^(?:body|query)\.(\w+)[.\d]*:|with this (\w+) already/.exec(
    (error instanceof ApiError && error.detail) || '',
  );
  return named?.[1] ?? named?.[2] ?? '';
};

/** A form: what is typed, kept, sent, and why it was refused. */
export function useForm<T extends object, Out = unknown>({
  initial,
  draft: name = '',
  secrets,
  check = () => true,
  send,
  done,
  failed,
  errorMs = TOAST_MS,
  shownAt = [],
  reload,
  onDone,
}: Options<T, Out>): Form<T> {
  const draft = useDraft(name, initial, secrets);
  const { value: values, set: setAll } = draft;
  const [reason, setReason] = useState({ text: '', at: '' });
  const findField = (error: unknown) => shownAt.find((field) => field === fieldOf(error)) ?? '';
  const sent = useRef(values);
  const mark = useMarks(values);
  const action = useAction(send, {
    done,
    failed: {
      message: (error) => {
        setReason({ text: detailOr('')(error), at: findField(error) });
        return typeof failed === 'string' ? failed : failed(error, sent.current);
      },
      ms: errorMs,
      isTold: (error) => findField(error) !== '',
    },
    ...(reload && { onDone: reload }),
  });

  async function submit(also: Partial<T> = {}): Promise<void> {
    if (action.busy) return;
    sent.current = { ...values, ...also };
    setReason({ text: '', at: '' });
    const isReady = check(sent.current);
    if (typeof isReady === 'string') return refuse(isReady);
    if (!isReady || !(await action.run(sent.current))) return;
    if (!onDone) return reset();
    draft.clear();
    onDone();
  }
  function refuse(why: string): void {
    action.refuse(why, errorMs);
    mark();
  }
  /** Keeps what was typed since: it is meant for the next submit. */
  const reset = () => setAll((old) => (old === values ? initial : old));
  const shown = { ...reason, ms: errorMs };
  /** Without the name of the field, which is its label. */
  const errorAt = (field: string) =>
    field === reason.at
      ? reason.text.replace(/^[\w ]+: (\w)/, (_, first) => first.toUpperCase()) || undefined
      : undefined;
  return {
    values,
    set: (patch) => setAll((old) => ({ ...old, ...patch })),
    field: (key) => ({
      name: key,
      value: String(values[key] ?? ''),
      onChange: ({ target }) => setAll((old) => ({ ...old, [key]: target.value })),
      ...(shownAt.includes(key) && { error: errorAt(key) }),
    }),
    box: (key) => ({
      checked: values[key] === true,
      onChange: (isOn) => setAll((old) => ({ ...old, [key]: isOn })),
    }),
    reason: shown,
    errorAt,
    busy: action.busy,
    submit,
    onSubmit(event) {
      event.preventDefault();
      void submit();
    },
    reset,
    dialog: { draft, busy: action.busy, reason: shown, onSubmit: () => void submit(), onCancel: action.forget },
  };
}
