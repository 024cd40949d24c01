import { useSession } from '../state/session';

/** For a signed-in user whose role may not enter (docs/product.md, "Routes and menus"). Makes no call. */
export function Unauthorized() {
  const { signOut } = useSession();
  return (
    <main className="login" id="main">
      <h1>Unauthorized</h1>
      <button onClick={signOut}>Logout</button>
    </main>
  );
}
