/**
 * What a small team would write first with React, wouter and Pico: the page that the benchmark compares with.
 * It is no part of the product.
 */
import { createRoot } from 'react-dom/client';
import { Redirect, Route, Switch } from 'wouter';
import { Login } from './Login';
import { Users } from './Users';

function App() {
  const isSignedIn = localStorage.getItem('token') !== null;
  return (
    <main className="container-fluid">
      <Switch>
        <Route path="/login">{isSignedIn ? <Redirect to="/users" /> : <Login />}</Route>
        <Route path="/users">{isSignedIn ? <Users /> : <Redirect to="/login" />}</Route>
        <Route>
          <Redirect to={isSignedIn ? '/users' : '/login'} />
        </Route>
      </Switch>
    </main>
  );
}

createRoot(document.getElementById('root')!).render(<App />);
