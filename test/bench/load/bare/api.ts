import type { Player, PlayerForm, PlayerPage } from '../../../../src/contract/entities';

async function send(method: string, path: string, body?: unknown) {
  const token = localStorage.getItem('token');
  const answer = await fetch(path, {
    method,
    headers: {
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
      ...(body ? { 'Content-Type': 'application/json' } : {}),
    },
    body: body ? JSON.stringify(body) : null,
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
  return answer.json();
}

export async function login(email: string, password: string): Promise<void> {
  const { access_token, user } = await send('POST', '/api/v1/auth/login/json', { email, password });
  localStorage.setItem('token', access_token);
  localStorage.setItem('user', JSON.stringify(user));
}

export const listUsers = (query: Record<string, string>): Promise<PlayerPage> =>
  send('GET', `/api/v1/admin/user-management/users/?${new URLSearchParams(query)}`);

export const saveUser = (id: number, form: PlayerForm): Promise<Player> => send('PUT', `/api/v1/users/${id}`, form);
