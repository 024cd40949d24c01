import { PLAYER_NOTE_MAX } from '../../../../contract/constants';
import type { PlayerDetails, PlayerNote } from '../../../../contract/entities';
import { useAction } from '../../../hooks/useAction';
import { useDraft } from '../../../hooks/useDraft';
import { detailOr } from '../../../hooks/useErrorToast';
import type { Resource } from '../../../hooks/useResource';
import { useApi, useMay } from '../../../state/session';
import { DateTime } from '../../../ui/DateTime';

/** The name under which the tab keeps what is typed. */
export const noteDraft = (playerId: number) => `note on ${playerId}`;

/** The notes of staff about a player, newest first. A note cannot be changed. */
export function NotesPart({ playerId, file }: { playerId: number; file: Resource<PlayerDetails> }) {
  const api = useApi();
  const draft = useDraft(noteDraft(playerId), { text: '' });
  const typed = draft.value.text;
  const add = useAction(api.addPlayerNote, {
    done: 'Note added',
    failed: detailOr('Failed to add the note'),
    onDone: file.reload,
  });
  const mayAdd = useMay('support');
  const text = typed.trim(),
    notes = file.data?.notes ?? [];

  return (
    <>
      {mayAdd && (
        <form
          onSubmit={async (event) => {
            event.preventDefault();
            if (text && (await add.run({ id: playerId, body: { text } }))) draft.clear();
          }}
        >
          <label>
            New note{' '}
            <textarea
              rows={3}
              maxLength={PLAYER_NOTE_MAX}
              value={typed}
              onChange={({ target }) => draft.set({ text: target.value })}
            />
          </label>
          <button disabled={add.busy || !text}>Add note</button>
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
