/** What a row needs, in the row, by mouse and by keys (docs/extras/player-logins.md). */
import { fireEvent, waitFor } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Deposits } from '../../../../src/app/screens/Deposits';
import { closeScreen, openScreen } from '../../../screen';
import { deposit, fund } from '../../../seed';
import { as, pam, sql } from '../../../world';
import { copied } from '../../clipboard';
import { outage } from '../../network';
import { first, openQueue, row } from '../queue/redeemQueue';

const key = (name: string) => fireEvent.keyDown(document.activeElement!, { key: name });
const needsOf = (line: HTMLElement) => line.nextElementSibling!;
const withLogin = async () => {
  await sql`
    insert into tenant_platforms (tenant_id, platform_id, is_active, panel_url)
    values (2, 3, true, 'https://panel.test/')`;
  const body = { platform_name: 'vblink', platform_username: 'pam1', platform_password: 'pa55' };
  await (await as('sue')).createPlayerCredential({ user_id: pam.id, body });
  await sql`update redeems set platform = 'vblink' where id = ${pam.redeem}`;
};

test('by keys: look up, copy the login, open the panel, settle; the next row is looked up', async () => {
  const screen = await openQueue();
  await withLogin();
  const texts = copied();
  const opened: string[] = [];
  screen.container.addEventListener('click', (event) => {
    const link = (event.target as Element).closest('a[target]');
    if (!link) return;
    event.preventDefault();
    opened.push(link.getAttribute('href') ?? '');
  });
  row(screen, pam.redeem).focus();
  key('l');
  await screen.findByText('pam1');
  assert.match(needsOf(row(screen, pam.redeem)).textContent!, /Credit\$350\.00.*Held\$150\.00/);
  key('c');
  await screen.findByText('Username copied');
  key('o');
  assert.equal([texts, opened], [['pam1'], ['https://panel.test/']]);
  assert.is(document.activeElement, row(screen, pam.redeem));
  key('f');
  await waitFor(() => assert.is(document.activeElement, row(screen, first)));
  await waitFor(() => assert.match(needsOf(row(screen, first)).textContent!, /Login at .*: None/));
  assert.is(screen.queryByText('pam1'), null);
  key('l');
  await waitFor(() => assert.not.ok(screen.container.querySelector('.needs')));
});

test('a pending deposit shows the last three movements, a settled one has no button', async () => {
  const down = outage('/needs');
  const screen = await openScreen(<Deposits tenantId={2} />, 'ann', {
    before: async () => {
      await fund(pam, 'bonus', '10');
      await deposit(pam, 'credit', '25');
      await deposit(pam, 'credit', '30', 'success');
    },
    ...down,
  });
  const button = await screen.findByRole('button', { name: 'Look up' });
  fireEvent.click(button);
  assert.is(button.getAttribute('aria-expanded'), 'true');
  await screen.findByText('Failed to look up the player');
  down.isDown = false;
  fireEvent.click(screen.getByText('Retry'));
  await screen.findByText('None');
  const words = needsOf(button.closest('tr')!).textContent!;
  assert.is(words.match(/ from /g)?.length, 3, words);
  assert.match(words, /DEPOSIT: \$25\.00 from Credit to Held/);
  fireEvent.click(button);
  assert.is(screen.container.querySelector('.needs'), null);
});

test('without the feature, rows and keys are as they were', async () => {
  const screen = await openQueue({ lacks: ['player_logins'] });
  assert.is(screen.queryByText('Look up'), null);
  assert.is(screen.queryByText('look up', { exact: false }), null);
});

test.after(closeScreen);
test.run();
