/** Redeems to be decided, on the screen of a work queue. */
import { waitFor } from '@testing-library/react';
import * as assert from 'uvu/assert';
import { Redeems } from '../../../../src/app/screens/redeems/Redeems';
import type { Feature } from '../../../../src/contract/constants';
import { openScreen } from '../../../screen';
import { addPlayer, redeem } from '../../../seed';
import { pam, sql } from '../../../world';
import { beforeFirstRequest, interceptRequests, type Sent } from '../../network';

export type Screen = Awaited<ReturnType<typeof openScreen>>;
export const row = (screen: Screen, id: number) => screen.container.querySelector<HTMLElement>(`tr[data-id="${id}"]`)!;
export const ids = (screen: Screen) =>
  [...screen.container.querySelectorAll('tr[data-id]')].map((line) => Number(line.getAttribute('data-id')));
/** Rows and their number come each by itself. */
export async function loaded(screen: Screen, count: number): Promise<void> {
  await screen.findByText(count === 1 ? '1 redeem' : `${count} redeems`);
  await waitFor(() => assert.is(ids(screen).length, count));
}

/** Three redeems of Acme beside Pam's, which waits longest: two that wait, and one paid. */
export let first = 0,
  second = 0,
  paid = 0;
export const openQueue = async (
  path = '/?tab=redeems',
  features?: readonly Feature[],
  instead: (sent: Sent) => Response | undefined | Promise<Response | undefined> = () => undefined,
) => {
  const ready = beforeFirstRequest(async () => {
    const pia = await addPlayer(2, { email: 'pia@mail.test', credit: '900' });
    const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);
    await sql`update redeems set initiated_at = ${ago(30)} where id = ${pam.redeem}`;
    first = await redeem(pia, '60', 'pending', { initiated_at: ago(2) });
    second = await redeem(pia, '70', 'pending', { initiated_at: ago(0) });
    paid = await redeem(pia, '80', 'success', { initiated_at: ago(1) });
  });
  const line = interceptRequests(async (sent) => {
    await ready();
    return instead(sent);
  });
  const options = { fetch: line.fetch, path, ...(features && { features }) };
  const screen = await openScreen(<Redeems tenantId={2} />, 'ann', options);
  return { screen, ...line };
};
