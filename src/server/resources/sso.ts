import { refuse, refuseByTenant, startSession } from '../auth/startSession';
import { SSO, SSO_ASKED } from '../auth/twoFactor';
import type { Ctx, Handlers } from '../core/context';
import { Problem } from '../core/problem';
import { findPerson, keepPerson } from '../sso/accounts';
import {
  beginFlow,
  type Flow,
  findProvider,
  findProviderByEmail,
  readAnswer,
  redirectUri,
  takeFlow,
} from '../sso/flows';
import { openProvider, type Provider, ProviderFailed } from '../sso/provider';
import { problemOf, type Refusal, refusalOf, wordsOf } from '../sso/refusals';

type Finish = Ctx<'finishSso'>;

/** Checks what the provider says, and returns whose account it is. */
async function findAccount(ctx: Finish, flow: Flow, provider: Provider, url: URL) {
  const about = { id: null, email: '', tenant_id: flow.tenant_id };
  const claims = await openProvider(ctx.services, provider)
    .then((config) => readAnswer(config, url, flow, provider.groups_claim))
    .catch((error: unknown) => {
      const refusal = refusalOf(error);
      return refuse(ctx, about, problemOf(refusal), wordsOf(refusal, error));
    });
  const named = { ...about, email: claims.email },
    person = await findPerson(ctx, provider, claims).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error;
      return refuse(ctx, named, error); // too many new people
    });
  if (typeof person === 'string') return refuse(ctx, named, problemOf(person), wordsOf(person));
  await refuseByTenant(ctx, { ...provider, ...named });
  const account = await keepPerson(ctx, provider, claims, person).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error;
    return refuse(ctx, named, problemOf('unknown'), error.message); // made by somebody else meanwhile, or a player's
  });
  if (!account) return refuse(ctx, named, problemOf('unknown'), wordsOf('unknown'));
  return { ...account, proof: claims.askedAt ? `${SSO_ASKED} ${claims.askedAt}` : SSO };
}

/** Single sign-on (docs/extras/account.md). */
export const sso = {
  /** The same kind of answer for every e-mail. */
  async beginSso({ sql, body, services, exchange, audit, inTransaction }) {
    await services.rateLimits.ssoStep(exchange.address);
    const { email, tenant_id, return_to, again } = body;
    const provider =
      email === undefined ? await findProvider(sql, tenant_id ?? 0) : await findProviderByEmail(sql, email);
    const config =
      provider?.tenant_is_active &&
      (await openProvider(services, provider).catch((error: unknown) => {
        if (!(error instanceof ProviderFailed)) throw error;
        throw problemOf('away');
      }));
    return inTransaction(async (sql) => {
      audit.by({ admin_id: null, email: '' });
      audit.about({ kind: 'sign-in', id: null, tenant_id: provider?.tenant_id ?? null, after: { sso_begun: true } });
      if (!provider || !config) return { url: null };
      const redirect_uri = redirectUri(services, provider.tenant_id);
      const flow = { tenant_id: provider.tenant_id, redirect_uri, email, return_to, again };
      return { url: await beginFlow(sql, exchange, config, flow) };
    });
  },

  /** In the browser that has begun it, with what the provider sent to the address of this tenant. */
  async finishSso(ctx) {
    const { sql, params, body, services, exchange } = ctx;
    await services.rateLimits.ssoStep(exchange.address);
    const url = new URL(redirectUri(services, params.tenant_id));
    url.search = body.query;
    const flow = await takeFlow(sql, exchange, url.searchParams.get('state') ?? '');
    const stop = (refusal: Refusal, tenant_id: number | null) =>
      refuse(ctx, { id: null, email: '', tenant_id }, problemOf(refusal), wordsOf(refusal));
    if (typeof flow === 'string') return stop(flow, null);
    if (flow.tenant_id !== params.tenant_id) return stop('mixed_up', flow.tenant_id);
    const provider = await findProvider(sql, flow.tenant_id);
    if (!provider) return stop('off', flow.tenant_id);
    const answer = await startSession(ctx, await findAccount(ctx, flow, provider, url));
    return { ...answer, return_to: flow.return_to };
  },
} satisfies Partial<Handlers>;
