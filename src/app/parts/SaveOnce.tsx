import { useEffect } from 'react';
import { listen } from '../api/listen';
import { Button } from '../ui/Button';
import { downloadFile } from './downloadFile';
import { useCopy } from './useCopy';

type Props = { what: string; text: string; file: string; submit: string; onSaved: () => void };
/** Beside what is shown only once. Until it is confirmed as saved, the dialog stays open (`data-once`). */
export function SaveOnce({ what, text, file, submit, onSaved }: Props) {
  const copy = useCopy();
  useEffect(() => listen(['beforeunload'], (event) => event.preventDefault()), []);
  return (
    <div className="bar" data-once>
      <Button onClick={() => copy(what, text)}>Copy</Button>
      <Button onClick={() => downloadFile(new Blob([`${text}\n`], { type: 'text/plain' }), file)}>Download</Button>
      <button type="button" onClick={onSaved}>
        {submit}
      </button>
    </div>
  );
}
