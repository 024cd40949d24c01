import type { RefObject } from 'react';
import { DEMO_PASSWORD, demoAccounts } from '../../contract/demoAccounts';

/** The accounts of the sample data, below the login: to choose one fills the form. */
export function DemoAccounts({ form }: { form: RefObject<HTMLFormElement | null> }) {
  function fill(email: string) {
    const [name, password] = form.current?.querySelectorAll('input') ?? [];
    if (name) name.value = email;
    if (password) password.value = DEMO_PASSWORD;
  }
  return (
    <label style={{ marginTop: '1.5rem' }}>
      <small>Sample data: choose an account</small>
      <select size={demoAccounts.length} onChange={(event) => fill(event.currentTarget.value)}>
        {demoAccounts.map(([email, who]) => (
          <option key={email} value={email}>
            {email}, {who}
          </option>
        ))}
      </select>
    </label>
  );
}
