import { type RefObject, useEffect, useState } from 'react';

/** Below the login: shows what is typed as the password, says who sets a new one where no link is sent, and samples. */
export function LoginHelp({ form }: { form: RefObject<HTMLFormElement | null> }) {
  const { dataset } = document.documentElement;
  const [demo, setDemo] = useState<typeof import('./DemoAccounts')>();
  useEffect(() => {
    if ('demo' in dataset) void import('./DemoAccounts').then(setDemo);
  }, [dataset]);
  function show(isShown: boolean) {
    const password = form.current?.querySelector<HTMLInputElement>('[name=password]');
    if (password) password.type = isShown ? 'text' : 'password';
  }
  return (
    <>
      <p style={{ margin: '0.75rem 0 0' }}>
        <label>
          <input type="checkbox" style={{ minHeight: 0 }} onChange={({ target }) => show(target.checked)} />
          Show what is typed
        </label>
        {!('mail' in dataset) && <small>Password lost? An admin can set a new one.</small>}
      </p>
      {demo && <demo.DemoAccounts form={form} />}
    </>
  );
}
