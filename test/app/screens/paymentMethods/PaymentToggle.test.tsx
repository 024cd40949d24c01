import { fireEvent, waitFor } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { PaymentMethods } from '../../../../src/app/screens/paymentMethods/PaymentMethods';
import { closeScreen, openScreen } from '../../../screen';
import { interceptRequests, respondWith } from '../../network';
import { answer } from '../../question';

test('a switch that may be out of date is locked until the list loads, because its call only toggles', async () => {
  let isActive = true,
    isBroken = false;
  const line = interceptRequests(({ path }) => {
    if (path.endsWith('/toggle')) {
      isActive = !isActive;
      return new Response(null, { status: 204 });
    }
    if (!path.endsWith('/payment-methods/all')) return undefined;
    return isBroken
      ? respondWith('', 500)
      : respondWith([{ id: 5, tenant_id: 2, tenant_name: 'Acme', payment_platform: 'apex', is_active: isActive }]);
  });
  const screen = await openScreen(<PaymentMethods />, 'sue', { fetch: line.fetch });
  const control = (await screen.findByRole('switch')) as HTMLInputElement;
  isBroken = true;
  fireEvent.click(control);
  await answer(screen, 'Switch off Apex Processing for Acme?', 'Switch off');
  await screen.findByText('Payment method deactivated successfully');
  await screen.findByText('Error fetching payment methods');
  await waitFor(() => assert.is(control.getAttribute('aria-busy'), 'false'));
  assert.ok(control.checked, 'as it was before');
  assert.ok(control.disabled);
  isBroken = false;
  fireEvent.click(screen.getByText('Retry'));
  await waitFor(() => assert.not(control.disabled));
  assert.not(control.checked);
});

test.after(closeScreen);
test.run();
