import { useSession } from '../state/session';

/** For somebody signed in with a role that may not enter (spec 2). Makes no call. */
export function Unauthorized() {
  const { signOut } = useSession();
  return (
    <main className="login" id="main">
      <h1>Unauthorized</h1>
      <button onClick={signOut}>Logout</button>
    </main>
  );
}
