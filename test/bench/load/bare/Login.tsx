import { useState } from 'react';
import { useLocation } from 'wouter';
import { login } from './api';

export function Login() {
  const [, navigate] = useLocation();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [failed, setFailed] = useState(false);

  return (
    <form
      onSubmit={async (event) => {
        event.preventDefault();
        try {
          await login(email, password);
          navigate('/users');
        } catch {
          setFailed(true);
        }
      }}
    >
      <h1>Gaming Management</h1>
      <label>
        Email
        <input type="email" required value={email} onChange={(event) => setEmail(event.target.value)} />
      </label>
      <label>
        Password
        <input type="password" required value={password} onChange={(event) => setPassword(event.target.value)} />
      </label>
      {failed && <p role="alert">Invalid credentials or not an admin.</p>}
      <button>Login</button>
    </form>
  );
}
