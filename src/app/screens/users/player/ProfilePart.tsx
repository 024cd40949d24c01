import { type ReactNode, useState } from 'react';
import { TAG_MAX, TAGS_MAX } from '../../../../contract/constants';
import type { PlayerDetails } from '../../../../contract/entities';
import { orDash } from '../../../api/parse';
import { useAction } from '../../../hooks/useAction';
import { detailOr } from '../../../hooks/useErrorToast';
import { CopyableText } from '../../../parts/details/CopyableText';
import { useApi, useMay } from '../../../state/session';
import { Button } from '../../../ui/Button';
import { DateTime } from '../../../ui/DateTime';
import { Field } from '../../../ui/Field';
import { Note } from './NotesPart';

interface PartProps {
  file: PlayerDetails;
  reload: () => Promise<unknown>;
}

/** The player's profile, with tags and the newest note beside it. */
export function ProfilePart({ file, reload, onNotes }: PartProps & { onNotes: () => void }) {
  const { player, notes = [] } = file;
  const lines: [string, ReactNode][] = [
    ['First Name', orDash(player.first_name)],
    ['Last Name', orDash(player.last_name)],
    ['Phone', <CopyableText what="Phone" text={player.phone_number} />],
    ['Affiliate', <CopyableText what="Affiliate" text={player.affiliate_id} />],
    ['Referral', <CopyableText what="Referral" text={player.referral_id} />],
    ['Signed up', <DateTime at={file.created_at} />],
    ['Updated', <DateTime at={file.updated_at} />],
  ];
  const [newest] = notes;
  const maySupport = useMay('support');
  return (
    <div className="profile">
      <table>
        <tbody>
          {lines.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div>
        <h3>Newest note</h3>
        {newest ? <Note note={newest} /> : <p>No notes yet.</p>}
        {(maySupport || notes.length > 1) && (
          <Button onClick={onNotes}>{notes.length > 1 ? `All ${notes.length} notes` : 'Write a note'}</Button>
        )}
        <h3>Tags</h3>
        <Tags file={file} reload={reload} />
      </div>
    </div>
  );
}

function Tags({ file: { player, tags = [] }, reload }: PartProps) {
  const api = useApi();
  const [typed, setTyped] = useState('');
  const save = useAction((next: string[]) => api.savePlayerTags({ id: player.id, body: { tags: next } }), {
    done: 'Tags saved',
    failed: detailOr('Failed to save the tags'),
    onDone: reload,
  });
  const tag = typed.trim();
  const maySupport = useMay('support');
  const list = tags.length > 0 && (
    <ul className="chips" aria-label="Tags">
      {tags.map((one) => (
        <li key={one} className="chip">
          {one}{' '}
          {maySupport && (
            <button
              type="button"
              className="link"
              aria-label={`Remove tag ${one}`}
              disabled={save.busy}
              onClick={() => void save.run(tags.filter((other) => other !== one))}
            >
              ×
            </button>
          )}
        </li>
      ))}
    </ul>
  );
  if (!maySupport) return list || <p>No tags.</p>;
  return (
    <form
      className="bar"
      onSubmit={async (event) => {
        event.preventDefault();
        if (!tag || !(await save.run([...new Set([...tags, tag])]))) return;
        setTyped((now) => (now.trim() === tag ? '' : now)); // the next one may be typed already
      }}
    >
      {list}
      <Field
        label="New tag"
        maxLength={TAG_MAX}
        autoComplete="off"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <button className="secondary" disabled={save.busy || !tag || tags.length >= TAGS_MAX}>
        Add tag
      </button>
    </form>
  );
}
