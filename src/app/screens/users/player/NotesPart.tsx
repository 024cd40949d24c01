import { PLAYER_NOTE_MAX } from '../../../../contract/constants';
import type { PlayerDetails, PlayerNote } from '../../../../contract/entities';
import { detailOr } from '../../../hooks/useErrorToast';
import { useForm } from '../../../hooks/useForm';
import type { Resource } from '../../../hooks/useResource';
import { useApi, useMay } from '../../../state/session';
import { DateTime } from '../../../ui/DateTime';

export const noteDraft = (playerId: number) => `note on ${playerId}`;

/** The notes of staff about a player, newest first. A note cannot be changed. */
export function NotesPart({ playerId, file }: { playerId: number; file: Resource<PlayerDetails> }) {
  const api = useApi();
  const form = useForm({
    initial: { text: '' },
    draft: noteDraft(playerId),
    check: ({ text }) => text.trim() !== '',
    send: ({ text }, options) => api.addPlayerNote({ id: playerId, body: { text: text.trim() } }, options),
    done: 'Note added',
    failed: detailOr('Failed to add the note'),
    reload: file.reload,
  });
  const mayAdd = useMay('support');
  const notes = file.data?.notes ?? [];

  return (
    <>
      {mayAdd && (
        <form onSubmit={form.onSubmit}>
          <label>
            New note <textarea rows={3} maxLength={PLAYER_NOTE_MAX} {...form.field('text')} />
          </label>
          <button disabled={form.busy || !form.values.text.trim()}>Add note</button>
        </form>
      )}
      {file.data && !notes.length && <p>No notes yet.</p>}
      {notes.map((note) => (
        <Note key={note.id} note={note} />
      ))}
    </>
  );
}

export const Note = ({ note }: { note: PlayerNote }) => (
  <section>
    <p className="note-text">{note.text}</p>
    <small>
      {note.by}, <DateTime at={note.created_at} />
    </small>
  </section>
);
