import { type RefObject, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { DemoAccounts } from './DemoAccounts';

interface Props {
  form: RefObject<HTMLFormElement | null>;
  /** The page was opened by a link to choose a password. */
  hasLink: boolean;
  describeUnread: (answer: unknown) => string;
}
/**
 * All below the login: other ways in, if the page says that its server has them; a box that shows the password; who
 * sets a new one; and the accounts of the sample data.
 */
export function LoginHelp({ form, hasLink, describeUnread }: Props) {
  const { dataset } = document.documentElement;
  const [mail, setMail] = useState<typeof import('./MailLinks')>();
  const [passkeys, setPasskeys] = useState<typeof import('./PasskeySignIn')>();
  const [sso, setSso] = useState<typeof import('./SingleSignOn')>();
  useEffect(() => {
    if ('mail' in dataset || hasLink) void import('./MailLinks').then(setMail);
    if ('passkeys' in dataset) void import('./PasskeySignIn').then(setPasskeys);
    if ('sso' in dataset) void import('./SingleSignOn').then(setSso);
  }, [dataset, hasLink]);
  const [isShown, setShown] = useState(false);
  const password = form.current?.querySelector<HTMLInputElement>('[name=password]'),
    place = password?.closest<HTMLElement>('.field');
  useEffect(() => {
    // After each render: the form's own says 'password'.
    if (password) password.type = isShown ? 'text' : 'password';
    if (place) place.style.position = 'relative';
  });
  return (
    <>
      {place &&
        createPortal(
          // Beside the name of the field, so that nothing moves when it comes.
          <label style={{ position: 'absolute', inset: '0 0 auto auto' }}>
            <input
              type="checkbox"
              style={{ minHeight: 0 }}
              checked={isShown}
              onChange={({ target }) => setShown(target.checked)}
            />
            Show what is typed
          </label>,
          place,
        )}
      {!('mail' in dataset) && (
        <small style={{ display: 'block', marginTop: '0.75rem' }}>Password lost? An admin can set a new one.</small>
      )}
      {passkeys && <passkeys.PasskeySignIn form={form} describeUnread={describeUnread} />}
      {sso && <sso.SingleSignOn form={form} />}
      {mail && <mail.MailLinks form={form} />}
      {'demo' in dataset && <DemoAccounts form={form} />}
    </>
  );
}
