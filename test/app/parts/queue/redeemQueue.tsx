/** Redeems to be decided, on the screen of a work queue. */
import { waitFor } from '@testing-library/react';
import * as assert from 'uvu/assert';
import { Redeems } from '../../../../src/app/screens/redeems/Redeems';
import { type Options, openScreen, type Screen } from '../../../screen';
import { addPlayer, redeem } from '../../../seed';
import { pam, sql } from '../../../world';

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
async function addRedeems(): Promise<void> {
  const pia = await addPlayer(2, { email: 'pia@mail.test', credit: '900' });
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  await sql`update redeems set initiated_at = ${ago(30)} where id = ${pam.redeem}`;
  first = await redeem(pia, '60', 'pending', { initiated_at: ago(2) });
  second = await redeem(pia, '70', 'pending', { initiated_at: ago(0) });
  paid = await redeem(pia, '80', 'success', { initiated_at: ago(1) });
}
/** The queue with so many of them. */
export async function openQueue({ count = 4, before, ...options }: Options & { count?: number } = {}) {
  const screen = await openScreen(<Redeems tenantId={2} />, 'ann', {
    path: '/?tab=redeems',
    ...options,
    before: async () => {
      await addRedeems();
      await before?.();
    },
  });
  if (count) await loaded(screen, count);
  return screen;
}
