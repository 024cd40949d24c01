/** Every screen and every dialog of the app, and what is typed and pressed in it. */

import type { ReactNode } from 'react';
import { App } from '../../../src/app/App';
import { Account } from '../../../src/app/dialogs/account/Account';
import { ApiKeys } from '../../../src/app/dialogs/apiKeys/ApiKeys';
import { Accounts } from '../../../src/app/dialogs/books/Accounts';
import { Books, YearPayouts } from '../../../src/app/dialogs/books/Books';
import { Shifts } from '../../../src/app/dialogs/books/Shifts';
import { Bell } from '../../../src/app/dialogs/notifications/Bell';
import { Search } from '../../../src/app/dialogs/search/Search';
import { Team } from '../../../src/app/dialogs/team/Team';
import { Approvals } from '../../../src/app/parts/approvals/Approvals';
import { AuditLog } from '../../../src/app/parts/audit/AuditLog';
import { TenantSetup } from '../../../src/app/parts/setup/TenantSetup';
import { FirstPurchases, NewPlayers } from '../../../src/app/parts/todayLists';
import { Admins } from '../../../src/app/screens/admins/Admins';
import { AffiliateTracking } from '../../../src/app/screens/affiliates/AffiliateTracking';
import { Deposits } from '../../../src/app/screens/Deposits';
import { Overview } from '../../../src/app/screens/overview/Overview';
import { PlatformManagement } from '../../../src/app/screens/PlatformManagement';
import { Purchases } from '../../../src/app/screens/Purchases';
import { PaymentMethods } from '../../../src/app/screens/paymentMethods/PaymentMethods';
import { Platforms } from '../../../src/app/screens/platforms/Platforms';
import { Redeems } from '../../../src/app/screens/redeems/Redeems';
import { Returns } from '../../../src/app/screens/returns/Returns';
import { Tenants } from '../../../src/app/screens/Tenants';
import { Users } from '../../../src/app/screens/users/Users';
import type { Feature } from '../../../src/contract/constants';
import type { Surface } from './look';

const close = () => undefined;
const PASSWORD = 'secret';

type Opened = Omit<Surface, 'by' | 'name' | 'node'>;
/** What a tenant's admin, or else a super admin, sees and opens on one screen. */
const of = (by: 'ann' | 'sue', node: ReactNode, all: Record<string, Opened>, each: Opened = {}): Surface[] =>
  Object.entries(all).map(([name, one]) => ({ by, name, node, ...each, ...one }));
const byFeature = (feature: Feature, node: ReactNode, all: Record<string, Opened>) => of('ann', node, all, { feature });

const ofAll = [
  ...of('sue', <App />, { 'Super admin': {}, Logout: { send: 'Logout' } }, { at: '/admins' }),
  ...of('sue', <TenantSetup tenantId={3} name="Bravo" />, { "A tenant's first steps": { feature: 'tenant_setup' } }),
  ...of('sue', <NewPlayers tenantId={undefined} onClose={close} />, { 'New Players Today': {} }),
  ...of('sue', <FirstPurchases tenantId={undefined} onClose={close} />, { 'First Purchases Today': {} }),
  ...of('sue', <Overview />, { Overview: { feature: 'overview' } }),
  ...of('sue', <Tenants onOpen={close} />, {
    Tenants: { fill: { Name: 'Charlie', Description: 'New' }, send: 'Add Tenant' },
    'Edit Tenant': { press: ['Edit'], fill: { Name: 'Charlie' }, send: 'Save' },
  }),
  ...of('sue', <Platforms />, {
    Platforms: {},
    'Platform Credentials of a tenant': {
      press: ['Edit credentials…'],
      fill: { Username: 'acme', Password: 'long enough' },
      send: 'Save',
    },
    'Unassign a tenant': { press: ['Unassign…'], send: 'Unassign' },
  }),
  ...of(
    'sue',
    <Admins />,
    {
      Admins: {},
      'Create Admin': {
        press: ['Create Admin'],
        fill: { Email: 'new@acme.test', Password: 'A long secret 7' },
        send: 'Save',
      },
      'Edit Admin': { press: ['Edit'], fill: { Email: 'b@c.test' }, send: 'Save' },
      'Disable an admin': { press: ['Disable'], send: 'Disable' },
    },
    { at: '/?tenant=2' },
  ),
  ...of('sue', <Purchases />, { Purchases: {} }),
  ...of('sue', <Users />, { Users: {} }),
  ...of('sue', <Deposits />, { Deposits: {} }),
  ...of('sue', <Redeems />, { Redeems: {} }),
  ...of('sue', <PaymentMethods />, {
    'Payment Methods': {},
    'Add New Payment Method': {
      press: ['Add Payment Method'],
      fill: { Tenant: '3', 'Payment Platform': 'apex', 'API Key': 'a', 'Secret Key': 'b', 'Merchant ID': 'c' },
      send: 'Create',
    },
    'Edit Payment Method': {
      press: ['Edit'],
      fill: { 'API Key': 'k', 'Secret Key': 's', 'Merchant ID': 'm' },
      send: 'Update',
    },
    "A payment method's webhook": { press: ['Edit'], fill: { 'Your password': PASSWORD }, send: 'Show Secret' },
    'Delete a payment method': { press: ['Delete'], send: 'Delete' },
  }),
];

const books = [
  ...byFeature('books', <Books onClose={close} />, { Books: { send: 'Verify now' } }),
  ...byFeature('accounts', <Accounts tenantId={2} />, {
    'Accounts of a tenant': { send: 'Require an account of each payment' },
    'Add account': { press: ['Add account'], fill: { Name: 'Bank' }, send: 'Save' },
    'Edit an account': { press: ['Edit…'], fill: { Name: 'Bank' }, send: 'Save' },
    'Movements of an account': { press: ['Movements…'] },
    'Buy, move or correct': {
      press: ['Buy, move or correct'],
      fill: { Into: '2', 'Paid, in dollars': '10', Credits: '50' },
      send: 'Save',
    },
  }),
  ...byFeature('shifts', <Shifts tenantId={2} />, {
    'Shifts of a tenant': { send: 'Require an open shift' },
    'Open a shift': { press: ['Open my shift'], fill: { '…, in dollars': '10' }, send: 'Open shift' },
    'Close a shift': { press: ['Close the shift…'], fill: { '…, in dollars': '5' }, send: 'Close shift' },
    'Shifts of a day as a file': { send: 'Export shifts' },
    'One shift': { press: ['Show the shift…'] },
  }),
  ...byFeature('overview', <Overview />, { 'Profit of a span': { press: ['Profit'] } }),
  ...byFeature('eligibility', <YearPayouts tenantId={2} />, { 'Payouts of players': { send: 'Export payouts' } }),
];

/** Tools of the title bar. */
const tools = [
  ...of('ann', <App />, { 'Tenant admin': { at: '/?tab=platforms' } }),
  ...byFeature('search', <Search screens={[]} tools={[]} onClose={close} />, { Search: {} }),
  ...byFeature('audit', <AuditLog onClose={close} />, { Audit: {} }),
  ...books,
  ...byFeature('api_keys', <ApiKeys onClose={close} />, {
    'API keys': { fill: { Name: 'S', 'Your password': PASSWORD }, send: 'Create API key' },
    'Revoke an API key': { press: ['Revoke'], send: 'Revoke' },
  }),
  ...byFeature('permissions', <Team onClose={close} />, { Team: {} }),
  ...byFeature('approvals', <Approvals tenantId={2} onClose={close} />, {
    Approvals: {},
    'Limits of approvals': { fill: { 'Two people for payouts from': '100' }, send: 'Save limits' },
  }),
  ...byFeature('account', <Account onClose={close} />, {
    Account: {},
    'A new password': {
      fill: { 'Current password': PASSWORD, 'New password': 'A long secret 7' },
      send: 'Change password',
    },
    'Two-factor sign-in': { fill: { Password: PASSWORD }, send: 'Set up' },
  }),
  ...byFeature('notifications', <Bell />, {
    Notifications: { press: ['Notifications…'] },
    'Rules and channels': { press: ['Notifications…', 'Rules and channels'] },
  }),
];

const queues = [
  ...of('ann', <Purchases tenantId={2} />, {
    "A tenant's Purchases": {},
    Redeem: { press: ['Redeem'], fill: { Platform: 'vblink', Amount: '100' }, send: 'Submit' },
    'Details of a purchase': { press: ['Details'] },
    'Export of purchases': { send: 'Export CSV' },
    'Views of purchases': { press: ['Views'] },
  }),
  ...of('ann', <Deposits tenantId={2} />, { "A tenant's Deposits": {}, 'Export of deposits': { send: 'Export CSV' } }),
  ...byFeature('returns', <Returns tenantId={2} />, {
    "A tenant's Returns": {},
    'Export of returns': { send: 'Export CSV' },
    'Record Return': { press: ['Record Return'] },
    'Paid from the game': { press: ['Winnings are paid…'], send: 'Change' },
  }),
  ...of('ann', <Redeems tenantId={2} />, {
    "A tenant's Redeems": {},
    'Export of redeems': { send: 'Export CSV' },
    'Take a redeem': { feature: 'claims', send: 'Take' },
    'Queue settings': {
      feature: 'late_minutes',
      press: ['Queue settings'],
      fill: { 'Redeems late (min)': '45' },
      send: 'Save',
    },
    'Create Manual Redeem': { press: ['Create Manual Redeem'] },
    'What a redeem needs': { feature: 'player_logins', press: ['Look up'] },
  }),
];

const users = [
  ...of('ann', <Users tenantId={2} />, {
    "A tenant's Users": {},
    'Export of users': { send: 'Export CSV' },
    'Import Users': { press: ['Import'] },
    'Create User': { press: ['Create User'] },
    'Edit User': { press: ['Edit'], fill: { 'First Name': 'Pamela' }, send: 'Save' },
    'Edit Balances': { press: ['Edit Balances'], fill: { Credit: '5' }, send: 'Save' },
    'Delete a user': { press: ['Delete'], send: 'Delete' },
    'Actions for a user': { press: ['Actions for…'] },
  }),
  ...of(
    'ann',
    <Users tenantId={2} />,
    {
      'Filters of users': { press: ['Filters…'], fill: { Tags: 'vip' } },
      'Possible doubles': { feature: 'protection', press: ['Possible doubles', 'Dismiss…'], send: 'Dismiss' },
      'Link doubles': { feature: 'protection', press: ['Possible doubles', 'Link…'], send: 'Link' },
    },
    { at: '/?segment=ggr%3A..1000000' },
  ),
  ...of(
    'ann',
    <Users tenantId={2} />,
    {
      'Platform Credentials': { press: ['Platform Credentials'] },
      'Edit a platform login': { press: ['Platform Credentials', 'Edit'], fill: { Username: 'new' }, send: 'Save' },
      'Add login': {
        press: ['Platform Credentials', 'Add login'],
        fill: { Platform: 'vblink', Username: 'new' },
        send: 'Add',
      },
      'Switch a login': { press: ['Platform Credentials'], send: '… is active' },
      "Copy a login's password": { press: ['Platform Credentials'], send: 'Copy Password' },
      'Transaction History': { press: ['Transaction History'] },
      "A user's view": { press: ['View'] },
      ...Object.fromEntries(
        ['Balances', 'Purchases', 'Redeems', 'Platform Logins', 'History'].map((part) => [
          `A user's view, ${part}`,
          { press: ['View', part] },
        ]),
      ),
      "A user's view, Notes": { press: ['View', 'Notes'], fill: { 'New note': 'Called' }, send: 'Add note' },
      "A user's tags": { press: ['View'], fill: { 'New tag': 'new' }, send: 'Add tag' },
      'Personal data': { feature: 'personal_data', press: ['View'], send: 'Personal data', isRead: true },
      Eligibility: {
        feature: 'eligibility',
        press: ['View', 'Eligibility'],
        fill: { Region: 'US-TX' },
        send: 'Save',
      },
      'Break and limits': {
        feature: 'protection',
        press: ['View', 'Break and limits'],
        fill: { 'Deposits a day': '50' },
        send: 'Save',
      },
      Unlink: { feature: 'protection', press: ['View', 'Unlink'], send: 'Unlink' },
      'Hold payouts': { press: ['View', 'Hold payouts'], send: 'Hold payouts' },
    },
    { at: '/?search=pam' },
  ),
];

const platforms = [
  ...of('ann', <AffiliateTracking tenantId={2} />, {
    'Affiliate Tracking': { fill: { 'Affiliate ID': 'AFF1' }, send: 'Get Stats', isRead: true },
  }),
  ...of('ann', <PlatformManagement tenantId={2} />, {
    'Platform Management': {},
    'Links of a tenant': { feature: 'link_templates' },
    'Edit the links': {
      press: ['Links', 'Add link'],
      fill: { Name: 'Chat', Address: 'https://chat.test/{player_id}' },
      send: 'Save',
    },
    'Panel address': {
      feature: 'player_logins',
      press: ['Panel address'],
      fill: { Address: 'https://panel.test/acme' },
      send: 'Save',
    },
    'Who may play': { feature: 'eligibility', press: ['Who may play'], fill: { 'Minimum age': '21' }, send: 'Save' },
    'Info of a platform': { press: ['Info'] },
    'Add Platform Credentials': { press: ['Add'], fill: { Username: 'a', Password: 'b' }, send: 'Save' },
  }),
];

export const surfaces: Surface[] = [...ofAll, ...tools, ...queues, ...users, ...platforms];
