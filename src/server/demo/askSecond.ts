import { calls } from '../../contract/allCalls';
import type { CallName } from '../../contract/calls';
import { DEMO_PASSWORD } from '../../contract/demoAccounts';

type Request = (path: string, options: RequestInit) => Response | Promise<Response>;

/** At Lucky Harbor, by calls as people make them: a limit for two people, and a payout and an edit that wait. */
export async function askSecond(request: Request): Promise<void> {
  const hana = await signIn(request, 'hana@harbor.test');
  await hana('changeApprovalLimits', '', { payouts_from: 500, edits_from: 200 });
  await hana('logout', '', {});

  const finn = await signIn(request, 'finn@harbor.test');
  const { users } = await finn('listPlayers', '?sort_by=individual_ggr&sort_order=desc');
  const [winner, regular] = users;
  const redeem = await finn('createManualRedeem', '', {
    user_email: winner.email,
    amount: 640,
    platform: 'orionstar',
    payout_method: 'PayPal',
    payout_address: winner.email,
    description: 'Asked for by phone',
  });
  await finn('changeRedeemStatus', redeem.id, { status: 'success' });
  await finn('adjustBalances', regular.id, { bonus: 250, bonus_op: 'add', reason: 'goodwill', note: 'A year with us' });
  await finn('logout', '', {});
}

async function signIn(request: Request, email: string) {
  const send = (token: string) => async (name: CallName, to: string | number, body?: object) => {
    const { method, path } = calls[name];
    const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) };
    const answer = await request(path.includes('{') ? path.replace(/\{\w+\}/, String(to)) : path + to, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const answered = await answer.json();
    if (!answer.ok) throw new Error(`${name} of the sample data: ${answered.detail}`);
    return answered;
  };
  const { access_token } = await send('')('login', '', { email, password: DEMO_PASSWORD });
  return send(access_token);
}
