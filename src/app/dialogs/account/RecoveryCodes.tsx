import { useEffect, useRef } from 'react';
import { SaveOnce } from '../../parts/SaveOnce';

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
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => list.current?.focus(), []);

  return (
    <>
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
      <SaveOnce
        what="Recovery codes"
        text={codes.join('\n')}
        file="recovery-codes.txt"
        submit={submit}
        onSaved={onSaved}
      />
    </>
  );
}
