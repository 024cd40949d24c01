/**
 * Another implementation of the specification's calls, as the app may find it: no `features`, FastAPI-like failures,
 * amounts as text, metadata as JSON text, nulls, and a 400 for anything the specification does not list. It keeps its
 * few rows in memory and can be set to answer in other shapes.
 */
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { calls } from '../../src/contract/allCalls';
import type { CallName, CallSpec } from '../../src/contract/calls';
import { openPort, shut } from '../openPort';
import { PASSWORD, people } from './harness';

/** What JSON can say. */
export type Json = null | string | number | boolean | Json[] | { [key: string]: Json };

const user = 'email password first_name last_name phone_number referral_id affiliate_id is_active';
const method = 'api_key merchant_id webhook_secret secret_key server_url store_id';
/** The query and body keys of specification section 7; anything else is refused. */
const keys: Partial<Record<CallName, { query?: string; body?: string }>> = {
  login: { body: 'email password' },
  loginToTenant: { body: 'email password' },
  createTenant: { body: 'name description' },
  updateTenant: { body: 'name description' },
  saveAssignment: { body: 'username password' },
  unassignPlatform: { body: 'tenant_id' },
  listAdmins: { query: 'tenant_id' },
  createAdmin: { body: 'email password tenant_id role_id' },
  updateAdmin: { body: 'email password' },
  listPurchases: { query: 'limit tenant_id transaction_type' },
  listDeposits: { query: 'limit tenant_id' },
  changePurchaseStatus: { body: 'status' },
  listPlayers: { query: 'tenant_id search sort_by sort_order page page_size' },
  updatePlayerCredential: { body: 'platform_username platform_password' },
  listPlayerTransactions: { query: 'limit' },
  updatePlayer: { body: user },
  createPlayer: { body: `${user} tenant_id` },
  adjustBalances: { body: 'credit credit_op bonus bonus_op vip vip_op loyalty loyalty_op' },
  saveMyPlatformCredentials: { body: 'username password' },
  submitRedeem: { body: 'platform_name amount' },
  listRedeems: { query: 'tenant_id' },
  changeRedeemStatus: { body: 'status' },
  searchPlayers: { query: 'email' },
  createManualRedeem: { body: 'user_email amount platform payout_method payout_address description' },
  getAffiliateStats: { query: 'affiliate_id start_date end_date tenant_id' },
  getDashboardMetrics: { query: 'tenant_id' },
  listNewPlayersToday: { query: 'tenant_id' },
  listFirstPurchasesToday: { query: 'tenant_id' },
  createPaymentMethod: { query: 'payment_platform webhook_url', body: method },
  updatePaymentMethod: { query: 'webhook_url', body: method },
};
const unlisted = (given: object, listed = '') => Object.keys(given).filter((key) => !listed.split(' ').includes(key));

const now = () => new Date().toISOString();
const pam = { email: 'pam@mail.test', first_name: 'Pam', last_name: 'Ng' };
const users = () => [
  {
    ...pam,
    ...{ id: 11, tenant_id: 2, phone_number: null, referral_id: null, affiliate_id: 'AFF1' },
    ...{ individual_ggr: -12.5, credit_balance: '120.50', bonus_balance: '5', vip_balance: null, loyalty_balance: 0 },
  },
  {
    ...{ id: 12, tenant_id: 2, phone_number: '+1 555 0100', referral_id: 'R', affiliate_id: null },
    ...{ email: '<img src=x onerror=alert(1)>@mail.test', first_name: '<script>alert(1)</script>', last_name: null },
    ...{ individual_ggr: 3, credit_balance: 0, bonus_balance: 0, vip_balance: 0, loyalty_balance: 0 },
  },
];
const purchase = (id: number, status: string, payment_metadata: unknown, transaction_type = 'TOP_UP') => ({
  ...{ id, status, payment_metadata, transaction_type, user_email: pam.email, payment_method: 'card' },
  ...{ amount: '20.5', net_amount: null, initiated_at: now(), completed_at: null },
});

/** Answers as another server might give them; a function of the body for the two that sign in. */
const answers: { [N in CallName]?: (body: Record<string, unknown>) => unknown } = {
  login: (body) => signIn(body),
  loginToTenant: (body) => signIn(body),
  listTenants: () => ({
    items: [
      { id: 1, name: 'Platform', is_active: true },
      { id: 2, name: 'Acme', description: null, is_active: true },
      { id: 3, name: 'Bravo', description: 'B', is_active: false },
    ],
  }),
  listAssignments: () => [
    { platform_id: 1, is_active: true, credentials: { username: 'u', password: 'p' }, tenant_id: 2 },
  ],
  listPlatforms: () => [
    { id: 1, name: 'vblink', display_name: null, description: null, is_active: true },
    { id: 2, name: 'yolo', display_name: 'YOLO', is_active: true },
  ],
  listPlatformNames: () => [{ name: 'vblink' }, { name: 'yolo' }],
  listRoles: () => [{ id: 7, name: 'admin' }],
  listAdmins: () => [{ id: 5, email: 'ann@acme.test', is_active: true, tenant_id: 2 }],
  listPurchases: () => [
    purchase(101, 'pending', '{"type":"LOYALTY"}'),
    purchase(102, 'SUCCESS', '{broken'),
    purchase(103, 'refunded', { type: 'BONUS' }, 'MYSTERY'),
    purchase(104, 'failed', null),
  ],
  listDeposits: () => [purchase(105, 'pending', { type: 'CREDIT' }, 'DEPOSIT')],
  listPlayers: () => ({
    users: users(),
    pagination: { total_users: 2, total_pages: 1, has_next: false, has_previous: false },
  }),
  listPlayerCredentials: () => [
    { id: 21, platform_name: 'vblink', platform_username: 'pam1', platform_password: 's3cret', is_active: true },
  ],
  listPlayerTransactions: () => [
    { id: 31, initiated_at: now(), transaction_type: 'TOP_UP', amount: 5 },
    { id: 32, initiated_at: null, transaction_type: 'ODD', amount: null },
  ],
  searchPlayers: () => [{ email: 'pam@mail.test', first_name: 'Pam', last_name: null, credit_balance: '120.50' }],
  listAvailablePlatforms: () => [
    { id: 1, name: 'vblink', display_name: 'VBlink', description: null },
    { id: 2, name: 'yolo' },
  ],
  listMyPlatforms: () => [
    { id: 1, is_activated: false, is_configured: true, platform_type: 'manual' },
    { id: 2, is_activated: true, is_configured: null, platform_type: 'api' },
  ],
  listRedeems: () => ({
    data: [
      {
        ...{ id: 41, user_email: pam.email, platform: 'vblink', amount: '150', status: 'pending' },
        ...{ payout_method: null, payout_address: null, initiated_at: now() },
      },
    ],
  }),
  getAffiliateStats: () => ({ total_players: 3, total_ggr: '12.30' }),
  getDashboardMetrics: () => ({
    ...{ new_signups_today: 1, first_purchase_today: '1' },
    ...{ total_purchases_today: '100.00', total_redeems_today: 40, total_ggr: 60, yesterday_ggr: -5 },
    ...{ week_ggr: 10, week_purchases: 20, last_week_ggr: 1, last_week_purchases: null },
    ...{ month_purchases: 0, month_redeems: 0, month_ggr: 0 },
  }),
  listNewPlayersToday: () => [{ id: 11, ...pam, phone_number: null, affiliate_id: null, created_at: now() }],
  listFirstPurchasesToday: () => [
    { id: 101, user: pam, amount: '20.5', payment_method: 'card', status: 'SUCCESS', initiated_at: now() },
  ],
  listPaymentMethods: () => [
    {
      ...{ id: 51, tenant_id: 2, tenant_name: 'Acme', payment_platform: 'btcpay', is_active: true, webhook_url: null },
      credentials: { server_url: 'https://btc.example', api_key: 'k', store_id: 's' },
      created_at: now(),
    },
  ],
};

function signIn({ email, password }: Record<string, unknown>): unknown {
  if (password !== PASSWORD) return null;
  const isSuper = email === people.super;
  return {
    access_token: `token-of-${String(email)}`,
    token_type: 'bearer',
    user: { role: { name: isSuper ? 'super_admin' : 'admin', is_super_admin: isSuper }, tenant_id: isSuper ? 1 : 2 },
  };
}

const routes = (Object.entries(calls) as [CallName, CallSpec][])
  .filter(([, call]) => !call.feature)
  .map(([name, call]) => ({ name, call, pattern: new RegExp(`^${call.path.replace(/\{\w+\}/g, '[^/]+')}$`) }));
const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

/** Starts it on a free port, with the app's files from `dist` beside the API. */
export async function startForeignServer(dist: string) {
  const recorded: { name: CallName; body: unknown }[] = [];
  let reshape = (answer: Json) => answer;

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://foreign');
    if (!url.pathname.startsWith('/api/')) return sendFile(dist, url.pathname, response);
    const route = routes.find(({ call, pattern }) => call.method === request.method && pattern.test(url.pathname));
    if (!route) return send(response, 404, { detail: 'Not Found' });
    const text = await textOf(request),
      body = text ? (JSON.parse(text) as Record<string, unknown>) : {};
    const query = Object.fromEntries(url.searchParams);
    recorded.push({ name: route.name, body: text ? body : undefined });

    const { query: inQuery, body: inBody } = keys[route.name] ?? {};
    const odd = [...unlisted(query, inQuery), ...unlisted(body, inBody)];
    if (odd.length) return send(response, 400, { detail: `not in the specification: ${odd.join(', ')}` });
    const isOpen = route.call.who === 'anyone' || route.call.who === 'checkout';
    if (!isOpen && !request.headers.authorization?.startsWith('Bearer token-of-'))
      return send(response, 401, { detail: 'Could not validate credentials' });
    if (isOpen && request.headers.authorization)
      return send(response, 400, { detail: 'an Authorization header on a call that carries none' });

    const answer = answers[route.name]?.(body);
    if (answer === null) return send(response, 401, { detail: 'Incorrect email or password' });
    // Writes answer nothing at all.
    if (answer === undefined) return response.writeHead(200).end();
    return send(response, 200, route.call.method === 'GET' ? reshape(answer as Json) : answer);
  });

  return {
    url: `http://127.0.0.1:${await openPort(server)}`,
    /** Every call made so far, in order. */
    recorded,
    /** From now on what is read is changed so. */
    reshape: (change: (answer: Json) => Json) => {
      reshape = change;
    },
    stop: () => shut(server),
  };
}

function send(response: ServerResponse, status: number, answer: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
}

function sendFile(dist: string, path: string, response: ServerResponse): void {
  const file = join(dist, normalize(path));
  const isFile = existsSync(file) && statSync(file).isFile();
  if (!isFile && extname(path)) return send(response, 404, { detail: 'Not Found' });
  const name = isFile ? file : join(dist, 'index.html');
  response.writeHead(200, { 'Content-Type': types[extname(name)] ?? 'application/octet-stream' });
  createReadStream(name).pipe(response);
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
