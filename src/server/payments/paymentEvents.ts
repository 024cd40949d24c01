/** Applies a processor's report: one purchase per reference, settled once (docs/integrations.md, "Integrations"). */
import type { Status } from '../../contract/constants';
import type { PlayerNamed, WebhookOutcome } from '../../contract/entities';
import type { PaymentPlatform } from '../../contract/platforms';
import type { Attention } from '../../contract/protection';
import { isOpen } from '../../contract/rules';
import type { Sql } from '../db/open';
import { createTopUp } from '../ledger/create';
import { describeAttention, readAttention } from '../ledger/protection';
import { settlePurchase } from '../ledger/settle';
import { lockFacts } from '../totals/countFacts';
import {
  assignReference,
  findNamedPlayer,
  findReference,
  type PaymentReference,
  reserveReference,
} from './paymentReferences';

export interface PaymentUpdate {
  tenant_id: number;
  method: PaymentPlatform;
  reference: string;
  status: Status;
  /** As it was sent; null when the sender does not know it. */
  amount: string | null;
  currency: string;
  /** null when the sender does not know it; then the event can only concern an existing purchase. */
  player: PlayerNamed | null;
  comment?: string | undefined;
}

export interface Result {
  /** The status of the answer: a refusal makes the sender try again later, 200 does not. */
  status: 200 | 404 | 409 | 503;
  outcome: WebhookOutcome;
  detail: string | null;
  money_id: number | null;
  /** For an applied event: whose purchase it is, and its status before and after. */
  change?: {
    player_id: number;
    amount: number;
    before: Status | null;
    after: Status;
    attention: Attention | null;
  };
}

interface Purchase {
  id: number;
  player_id: number;
  status: Status;
  amount: number;
  is_same_amount: boolean | null;
  is_same_email: boolean | null;
  external_id: string | null;
}

/** Runs in one transaction. An event that a person must decide on changes no balance and gets a reason. */
export async function applyUpdate(sql: Sql, update: PaymentUpdate): Promise<Result> {
  const at: PaymentReference = {
    tenant_id: update.tenant_id,
    kind: 'TOP_UP',
    method: update.method,
    reference: update.reference,
  };
  if (update.status === 'failed') await lockFacts(sql, update.tenant_id); // before the purchase, as whoever settles it
  const id = await findReference(sql, at);
  if (id !== null) return applyToKnown(sql, update, id);

  if (update.status === 'failed' && !(update.player && update.amount))
    return buildResult(200, 'ignored', 'No purchase has this reference');
  const amount = parseUsd(update);
  if (amount === null) return attention(null, explainAmount(update));
  if (!update.player)
    return buildResult(503, 'attention', 'No purchase has this reference yet, and the event names no player');
  const player = await findNamedPlayer(sql, update.tenant_id, update.player);
  if (!player) return buildResult(404, 'attention', 'Unknown player');

  const taken = await reserveReference(sql, at);
  if (taken !== null) return applyToKnown(sql, update, taken); // created by a parallel event
  const made = await createTopUp(sql, {
    tenant_id: update.tenant_id,
    player_id: player.id,
    amount,
    payment_method: update.method,
    payment_reference: update.reference,
    reported: update.status,
  });
  await assignReference(sql, at, made);
  const mark = isOpen(update.status)
    ? await readAttention(sql, update.tenant_id, made)
    : await settle(sql, update, made);
  const money = { player_id: player.id, amount: Number(amount) };
  return applied(update, made, { ...money, before: null, after: update.status, attention: mark });
}

/** Settles the purchase as the event says. Returns why payouts were held; null if they were not. */
async function settle(sql: Sql, { tenant_id: tenant, status }: PaymentUpdate, id: number): Promise<Attention | null> {
  const settled = await settlePurchase(sql, { id, tenant, status, admin_id: null });
  return (status === 'success' && settled.attention) || null;
}

/** It changed a purchase. That payouts were held is said beside the outcome: to the processor nothing is amiss. */
function applied({ comment }: PaymentUpdate, money_id: number, change: NonNullable<Result['change']>): Result {
  const isHeld = change.after === 'success' && change.attention;
  const detail = [isHeld && describeAttention(isHeld), comment].filter(Boolean).join('. ') || null;
  return { status: 200, outcome: 'applied', detail, money_id, change };
}

async function applyToKnown(sql: Sql, update: PaymentUpdate, id: number): Promise<Result> {
  const amount = parseUsd(update);
  // Locked before the decision, because staff may be deciding at the same moment.
  await sql`select 1 from transactions where tenant_id = ${update.tenant_id} and id = ${id} for update`;
  const [purchase] = await sql<Purchase[]>`
    select m.id, m.player_id, m.status, m.amount, m.amount = ${amount}::numeric as is_same_amount,
      lower(p.email) = lower(${update.player?.email ?? null}::text) as is_same_email, p.external_id
    from transactions m join players p on p.tenant_id = m.tenant_id and p.id = m.player_id
    where m.tenant_id = ${update.tenant_id} and m.id = ${id}`;
  if (!purchase) return buildResult(409, 'attention', 'The purchase with this reference no longer exists', id);
  const unchanged: Result = { status: 200, outcome: 'unchanged', detail: null, money_id: id };
  if (isOpen(update.status) || update.status === purchase.status)
    return isOpen(purchase.status) ? (findMismatch(update, purchase, amount) ?? unchanged) : unchanged;
  if (!isOpen(purchase.status))
    return attention(id, `The event reports ${update.status}, but the purchase is already ${purchase.status}`);
  const why = update.status === 'success' ? findMismatch(update, purchase, amount) : null;
  if (why) return why;
  const mark = await settle(sql, update, id);
  const { player_id, amount: of, status: before } = purchase;
  return applied(update, id, { player_id, amount: of, before, after: update.status, attention: mark });
}

/** Why the event cannot be about this purchase; null when it can. */
function findMismatch(update: PaymentUpdate, purchase: Purchase, amount: string | null): Result | null {
  const { amount: sent, player } = update;
  if (sent !== null && amount === null) return attention(purchase.id, explainAmount(update));
  if (sent !== null && !purchase.is_same_amount)
    return attention(
      purchase.id,
      `The event reports $${amount}, but the purchase is for $${purchase.amount.toFixed(2)}`,
    );
  const isOther =
    player?.user_id !== undefined
      ? player.user_id !== purchase.player_id
      : player?.external_id !== undefined
        ? player.external_id !== purchase.external_id
        : player?.email !== undefined && !purchase.is_same_email;
  return isOther ? attention(purchase.id, 'The event names a different player than the purchase') : null;
}

export const buildResult = (
  status: Result['status'],
  outcome: Result['outcome'],
  detail: string,
  money_id: number | null = null,
): Result => ({ status, outcome, detail, money_id });
const attention = (money_id: number | null, detail: string) => buildResult(200, 'attention', detail, money_id);
const explainAmount = ({ amount, currency, comment }: PaymentUpdate) =>
  currency.toUpperCase() === 'USD'
    ? amount === null
      ? (comment ?? 'The event has no amount')
      : 'Not an amount in USD: it must be above 0 with at most 2 decimals'
    : `Paid in ${currency.toUpperCase().slice(0, 12)}, not in USD`;

/** The exact amount as decimal text; null when it is not an amount in USD. Zeros after the cents are ignored. */
function parseUsd({ amount, currency }: PaymentUpdate): string | null {
  const exact = (amount ?? '').replace(/(\.\d\d)0+$/, '$1');
  return currency.toUpperCase() === 'USD' && /^\d{1,11}(\.\d{1,2})?$/.test(exact) && Number(exact) > 0 ? exact : null;
}
