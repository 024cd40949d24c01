/** In which time zone dates stand: the one in which the business days of their tenant begin. */
import { fireEvent, render, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { App } from '../../../src/app/App';
import { AffiliateTracking } from '../../../src/app/screens/affiliates/AffiliateTracking';
import { DateTime } from '../../../src/app/ui/DateTime';
import { useZoneNote } from '../../../src/app/ui/ZoneNote';
import { ZonesContext } from '../../../src/app/ui/zones';
import { formatDayIn, isTimeZone } from '../../../src/contract/timeZones';
import { closeScreen, openScreen } from '../../screen';
import { pam, pat, sql } from '../../world';
import { closed, fieldValue, fill, opens, textsOf } from '../controls';
import { partsOf } from '../network';

test.after.each(closeScreen);

const year = new Date().getFullYear();
/** Noon in UTC, when it is four in the morning in Los Angeles. */
const noon = `${year}-01-15T12:00:05Z`;
const LA = 'America/Los_Angeles';
const moved = async () => {
  await sql`update tenants set time_zone = ${LA} where id = 2`;
  await sql`update redeems set initiated_at = ${noon}`;
};
const timeOf = (screen: { container: HTMLElement }, id: number) =>
  screen.container.querySelector<HTMLTimeElement>(`tr[data-id="${id}"] time`);

test('a date stands in the zone of its tenant; the exact moment names it', () => {
  const { container } = render(
    <ZonesContext value={{ zone: LA }}>
      <DateTime at={noon} />
      <DateTime at={noon} isInRow />
      <DateTime at={noon} dateOnly />
      <DateTime at={`${year}-01-01T02:00:00Z`} />
    </ZonesContext>,
  );
  const [alone, inRow, day, late] = [...container.querySelectorAll('time')];
  assert.is(alone?.textContent, 'Jan 15, 4:00 AM PST');
  assert.match(alone?.title ?? '', /^Jan 15, \d{4}, 4:00:05 AM PST \(America\/Los_Angeles\)$/);
  assert.is(alone?.dateTime, new Date(noon).toISOString());
  assert.equal(
    [inRow?.textContent, inRow?.hasAttribute('tabindex')],
    ['Jan 15, 4:00 AM', false],
    'its list says the zone',
  );
  assert.equal([day?.textContent, late?.textContent], [`Jan 15, ${year}`, `Dec 31, ${year - 1}`]);
});

test('in a list of tenants in several zones each date names its own', () => {
  const zones = { ofTenant: (id?: number) => (id === 2 ? LA : 'UTC'), isMixed: true };
  const Note = ({ id }: { id?: number }) => <i>{useZoneNote(id).note}</i>;
  const { container } = render(
    <ZonesContext value={zones}>
      <DateTime at={noon} tenantId={2} isInRow />
      <DateTime at={noon} tenantId={3} isInRow />
      <Note />
      <Note id={2} />
    </ZonesContext>,
  );
  assert.equal(
    textsOf(container.querySelectorAll('time, i')),
    ['Jan 15, 4:00 AM PST', 'Jan 15, 12:00 PM UTC', 'tenant’s zone', 'PST'].map((text) =>
      text.replace('PST', text === 'PST' ? nowInLA() : 'PST'),
    ),
  );
});
const nowInLA = () => new Date().toLocaleString('en-US', { timeZone: LA, timeZoneName: 'short' }).split(' ').at(-1)!;

test("a tenant's admin reads rows, filters and figures in the tenant's zone", async () => {
  const screen = await openScreen(<App />, 'ann', { before: moved, path: '/?tab=redeems' });
  await screen.findByText(pam.email);
  await waitFor(() => assert.is(timeOf(screen, pam.redeem)?.textContent, 'Jan 15, 4:00 AM', 'moved after the sign-in'));
  const from = screen.getByLabelText('From');
  assert.is(from.closest('label')?.textContent, `From (${nowInLA()})`);
  assert.is(from.getAttribute('title'), 'Days begin at midnight, America/Los_Angeles');
  const metrics = within(screen.getByRole('region', { name: "Today's Metrics" }));
  metrics.getByText(`(${nowInLA()})`);
});

test('a super admin reads each row in the zone of its tenant, and which that is', async () => {
  const screen = await openScreen(<App />, 'sue', { before: moved, path: '/redeems' });
  await screen.findByText(pat.email);
  await waitFor(() =>
    assert.equal(
      [pam.redeem, pat.redeem].map((id) => timeOf(screen, id)?.textContent),
      ['Jan 15, 4:00 AM PST', 'Jan 15, 12:00 PM UTC'],
    ),
  );
  assert.is(screen.getByLabelText('To').closest('label')?.textContent, 'To (tenant’s zone)');
  fireEvent.change(screen.getByLabelText('By tenant'), { target: { value: '3' } });
  assert.is(screen.getByLabelText('To').closest('label')?.textContent, 'To (UTC)');
});

test('where all tenants share one zone, the list says it once', async () => {
  const screen = await openScreen(<App />, 'sue', { path: '/redeems' });
  await screen.findByText(pat.email);
  await waitFor(() => assert.is(screen.getByLabelText('From').closest('label')?.textContent, 'From (UTC)'));
  assert.not.match(timeOf(screen, pat.redeem)?.textContent ?? '', 'UTC');
});

test("where the server does not say the zone, dates are the browser's and nothing is said beside them", async () => {
  const screen = await openScreen(<App />, 'sue', { path: '/redeems', lacks: ['tenant_rows', 'time_zone'] });
  await screen.findByText(pat.email);
  assert.is(screen.getByLabelText('From').closest('label')?.textContent, 'From');
  assert.not.ok(screen.container.querySelector('.zone'));
});

test('the presets of Affiliate Tracking begin with the day of the business, not of the browser', async () => {
  const late = () => new Date('2026-03-02T03:00:00Z'); // still Sunday the 1st in Los Angeles
  const { sent } = await openScreen(
    <ZonesContext value={{ zone: LA }}>
      <AffiliateTracking tenantId={2} now={late} />
    </ZonesContext>,
    'ann',
    { path: '/?range=today' },
  );
  await waitFor(() => assert.is(sent.find(({ path }) => path.endsWith('/affiliates'))?.query.start_date, '2026-03-01'));
});

test('the zone of a tenant is chosen in its dialog, and sent only when it changed', async () => {
  const screen = await openScreen(<App />, 'sue', { path: '/tenants' });
  const open = async () => opens((await screen.findAllByRole('button', { name: 'Edit' }))[0]!, 'Edit Tenant');
  let dialog = await open();
  fireEvent.click(dialog.getByText('Save'));
  await closed(screen);
  dialog = await open();
  assert.is(fieldValue(dialog.getByLabelText('Time zone')), 'UTC');
  fill(dialog, { 'Time zone': 'Nowhere/Land' }, 'Save');
  await dialog.findByText(/expected an IANA time zone such as America\/New_York/);
  fill(dialog, { 'Time zone': LA }, 'Save');
  await closed(screen);
  assert.equal(partsOf(screen.writes(), 'body'), [
    { name: 'Acme', description: 'Arcade' },
    { name: 'Acme', description: 'Arcade', time_zone: 'Nowhere/Land' },
    { name: 'Acme', description: 'Arcade', time_zone: LA },
  ]);
});

test('a day and the name of a zone', () => {
  assert.is(formatDayIn(new Date('2026-03-02T03:00:00Z'), LA), '2026-03-01');
  assert.is(formatDayIn(new Date('2026-03-02T03:00:00Z'), 'Asia/Tokyo'), '2026-03-02');
  assert.is(formatDayIn(new Date(2026, 2, 2, 12), undefined), '2026-03-02');
  assert.equal(['UTC', LA, '+03:00', 'Nowhere/Land', ''].map(isTimeZone), [true, true, false, false, false]);
});

test.run();
