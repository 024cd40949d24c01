import { useEffect } from 'react';
import { Button } from '../ui/Button';
import { downloadFile } from './downloadFile';
import { useCopy } from './useCopy';

/**
 * Beside something that is shown only once: copy it, download it, and confirm that it is saved. Until then the dialog
 * around it stays open (`data-once`), and the browser asks before it leaves the page.
 */
export function SaveOnce({
  what,
  text,
  file,
  submit,
  onSaved,
}: {
  /** In messages: 'Recovery codes'. */
  what: string;
  text: string;
  /** The name of the file. */
  file: string;
  submit: string;
  onSaved: () => void;
}) {
  const copy = useCopy();
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, []);
  return (
    <div className="bar" data-once>
      <button type="button" onClick={onSaved}>
        {submit}
      </button>
      <Button onClick={() => copy(what, text)}>Copy</Button>
      <Button onClick={() => downloadFile(new Blob([`${text}\n`], { type: 'text/plain' }), file)}>Download</Button>
    </div>
  );
}
