import { useEffect, useRef } from 'react';
import { useToast } from '../../state/toasts';

/** The recovery codes, shown once. They take the focus, because the button that had it is gone. */
export function RecoveryCodes({
  codes,
  submit = 'I have saved them',
  onSaved,
}: {
  codes: string[];
  submit?: string;
  onSaved: () => void;
}) {
  const toast = useToast();
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => list.current?.focus(), []);
  const copy = () =>
    navigator.clipboard.writeText(codes.join('\n')).then(
      () => toast.success('Recovery codes copied'),
      () => toast.error('The recovery codes could not be copied. Select them instead.'),
    );

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSaved();
      }}
    >
      <p>
        Store these codes somewhere other than your phone. Each can be used once to sign in.{' '}
        <b>They will not be shown again.</b>
      </p>
      <div className="field">
        <ul ref={list} tabIndex={-1} className="chips" aria-label="Recovery codes">
          {codes.map((code) => (
            <li key={code} className="chip number">
              {code}
            </li>
          ))}
        </ul>
      </div>
      <div className="bar">
        <button>{submit}</button>
        {'clipboard' in navigator && (
          <button type="button" className="secondary" onClick={() => void copy()}>
            Copy
          </button>
        )}
      </div>
    </form>
  );
}
