/** What a payment processor says about one payment, made true in the books: at most one purchase for each reference, settled at most once. */
import type { PaymentPlatform, Status } from '../../contract/constants';
import type { PlayerNamed, WebhookOutcome } from '../../contract/integrations';
import { isOpen } from '../../contract/rules';
import type { Sql } from '../db/open';
import { createTopUp } from '../ledger/create';
import { settlePurchase } from '../ledger/settle';
import { findReference, nameReference, playerNamed, takeReference, type PaymentReference } from './paymentReferences';

export interface PaymentNews {
  tenant_id: number;
  method: PaymentPlatform;
  reference: string;
  status: Status;
  /** As it was sent; null: the sender does not know it. */
  amount: string | null;
  currency: string;
  /** Null: the sender does not know; then only a purchase that is there already can be meant. */
  player: PlayerNamed | null;
  /** Beside the outcome, for people. */
  remark?: string | undefined;
}

export interface Result {
  /** What the sender is answered: a refusal is worth sending again later, an answer is not. */
  status: 200 | 404 | 409 | 503;
  outcome: WebhookOutcome;
  detail: string | null;
  money_id: number | null;
  /** Of what was applied: whose purchase, and its status before and after. */
  change?: { player_id: number; amount: number; before: Status | null; after: Status };
}

interface Purchase { id: number; player_id: number; status: Status; amount: number; is_same_amount: boolean | null; email: string; external_id: string | null }

/** In one transaction. What a person must decide changes nothing in the books and says why. */
export async function applyNews(sql: Sql, news: PaymentNews): Promise<Result> {
  const at: PaymentReference = { tenant_id: news.tenant_id, kind: 'TOP_UP', method: news.method, reference: news.reference };
  const id = await findReference(sql, at);
  if (id !== null) return applyToKnown(sql, news, id);

  if (news.status === 'failed' && !(news.player && news.amount)) return { status: 200, outcome: 'ignored', detail: 'No purchase has this reference', money_id: null };
  const amount = usdOf(news);
  if (amount === null) return attention(null, notUsd(news));
  if (!news.player) return { status: 503, outcome: 'attention', detail: 'No purchase has this reference yet, and the sender names no player', money_id: null };
  const player = await playerNamed(sql, news.tenant_id, news.player);
  if (!player) return { status: 404, outcome: 'attention', detail: 'Unknown player', money_id: null };

  const taken = await takeReference(sql, at);
  if (taken !== null) return applyToKnown(sql, news, taken); // made meanwhile
  const made = await createTopUp(sql, { tenant_id: news.tenant_id, player_id: player.id, amount, payment_method: news.method, payment_reference: news.reference });
  await nameReference(sql, at, made);
  if (!isOpen(news.status)) await settlePurchase(sql, { id: made, tenant: news.tenant_id, status: news.status, admin_id: null });
  return { status: 200, outcome: 'applied', detail: news.remark ?? null, money_id: made, change: { player_id: player.id, amount: Number(amount), before: null, after: news.status } };
}

async function applyToKnown(sql: Sql, news: PaymentNews, id: number): Promise<Result> {
  const amount = usdOf(news);
  // Locked before it is judged: staff may be deciding it at this moment.
  await sql`select from transactions where tenant_id = ${news.tenant_id} and id = ${id} for update`;
  const [purchase] = await sql<Purchase[]>`
    select m.id, m.player_id, m.status, m.amount, m.amount = ${amount}::numeric as is_same_amount, p.email, p.external_id
    from transactions m join players p on p.tenant_id = m.tenant_id and p.id = m.player_id where m.tenant_id = ${news.tenant_id} and m.id = ${id}`;
  if (!purchase) return { status: 409, outcome: 'attention', detail: 'The purchase of this reference is gone', money_id: id };
  const unchanged: Result = { status: 200, outcome: 'unchanged', detail: null, money_id: id };
  if (isOpen(news.status) || news.status === purchase.status) return isOpen(purchase.status) ? differing(news, purchase, amount) ?? unchanged : unchanged;
  if (!isOpen(purchase.status)) return attention(id, `The sender says ${news.status}, but the purchase is already ${purchase.status}`);
  const why = news.status === 'success' ? differing(news, purchase, amount) : null;
  if (why) return why;
  await settlePurchase(sql, { id, tenant: news.tenant_id, status: news.status, admin_id: null });
  return {
    status: 200, outcome: 'applied', detail: news.remark ?? null, money_id: id,
    change: { player_id: purchase.player_id, amount: purchase.amount, before: purchase.status, after: news.status },
  };
}

/** Why what is sent cannot be meant of this purchase; null when it can. */
function differing(news: PaymentNews, purchase: Purchase, amount: string | null): Result | null {
  const { amount: sent, player } = news;
  if (sent !== null && amount === null) return attention(purchase.id, notUsd(news));
  if (sent !== null && !purchase.is_same_amount) return attention(purchase.id, `The sender says $${amount}, but the purchase is of $${purchase.amount.toFixed(2)}`);
  const isOther = player?.user_id !== undefined ? player.user_id !== purchase.player_id
    : player?.external_id !== undefined ? player.external_id !== purchase.external_id
    : player?.email !== undefined && player.email.toLowerCase() !== purchase.email.toLowerCase();
  return isOther ? attention(purchase.id, 'The sender names another player than the purchase') : null;
}

const attention = (money_id: number | null, detail: string): Result => ({ status: 200, outcome: 'attention', detail, money_id });
const notUsd = ({ amount, currency, remark }: PaymentNews) => (currency.toUpperCase() === 'USD'
  ? amount === null ? remark ?? 'The sender does not say how much' : 'The amount is none in USD: above 0, with at most 2 decimals'
  : `Paid in ${currency.toUpperCase().slice(0, 12)}, not in USD`);

/** The amount as decimal text, exact; null when it is none in USD. Zeros beyond the cents say nothing. */
function usdOf({ amount, currency }: PaymentNews): string | null {
  const exact = (amount ?? '').replace(/(\.\d\d)0+$/, '$1');
  return currency.toUpperCase() === 'USD' && /^\d{1,11}(\.\d{1,2})?$/.test(exact) && Number(exact) > 0 ? exact : null;
}
