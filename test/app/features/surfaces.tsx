/** Every screen and every dialog of the app, and what is typed and pressed in it. */
import { App } from '../../../src/app/App';
import { Account } from '../../../src/app/dialogs/account/Account';
import { ApiKeys } from '../../../src/app/dialogs/apiKeys/ApiKeys';
import { Accounts } from '../../../src/app/dialogs/books/Accounts';
import { Books } from '../../../src/app/dialogs/books/Books';
import { Shifts } from '../../../src/app/dialogs/books/Shifts';
import { YearPayouts } from '../../../src/app/dialogs/books/YearPayouts';
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
import type { Surface } from './look';

const close = () => undefined;
const tenants = <Tenants onOpen={() => undefined} />;
const users = <Users tenantId={2} />;
const pairs = { node: users, at: '/?segment=ggr%3A..1000000' };
const purchases = <Purchases tenantId={2} />;
const redeems = <Redeems tenantId={2} />;
const returns = <Returns tenantId={2} />;
const platforms = <PlatformManagement tenantId={2} />;
const panel = <App />;
const accounts = <Accounts tenantId={2} />;
const shifts = <Shifts tenantId={2} />;
const PASSWORD = 'secret';

/** A super admin's. */
const ofAll: Omit<Surface, 'by'>[] = [
  { name: 'Super admin', node: panel, at: '/admins' },
  { name: "A tenant's first steps", feature: 'tenant_setup', node: <TenantSetup tenantId={3} name="Bravo" /> },
  { name: 'Logout', node: panel, at: '/admins', send: 'Logout' },
  { name: 'New Players Today', node: <NewPlayers tenantId={undefined} onClose={close} /> },
  { name: 'First Purchases Today', node: <FirstPurchases tenantId={undefined} onClose={close} /> },
  { name: 'Overview', feature: 'overview', node: <Overview /> },
  { name: 'Tenants', node: tenants, fill: { Name: 'Charlie', Description: 'New' }, send: 'Add Tenant' },
  { name: 'Edit Tenant', node: tenants, press: ['Edit'], fill: { Name: 'Charlie' }, send: 'Save' },
  { name: 'Platforms', node: <Platforms /> },
  {
    name: 'Platform Credentials of a tenant',
    node: <Platforms />,
    press: ['Edit credentials…'],
    fill: { Username: 'acme', Password: 'long enough' },
    send: 'Save',
  },
  { name: 'Unassign a tenant', node: <Platforms />, press: ['Unassign…'], send: 'Unassign' },
  { name: 'Admins', node: <Admins />, at: '/?tenant=2' },
  {
    name: 'Create Admin',
    node: <Admins />,
    at: '/?tenant=2',
    press: ['Create Admin'],
    fill: { Email: 'new@acme.test', Password: 'A long secret 7' },
    send: 'Save',
  },
  {
    name: 'Edit Admin',
    node: <Admins />,
    at: '/?tenant=2',
    press: ['Edit'],
    fill: { Email: 'b@c.test' },
    send: 'Save',
  },
  { name: 'Disable an admin', node: <Admins />, at: '/?tenant=2', press: ['Disable'], send: 'Disable' },
  { name: 'Purchases', node: <Purchases /> },
  { name: 'Users', node: <Users /> },
  { name: 'Deposits', node: <Deposits /> },
  { name: 'Redeems', node: <Redeems /> },
  { name: 'Payment Methods', node: <PaymentMethods /> },
  {
    name: 'Add New Payment Method',
    node: <PaymentMethods />,
    press: ['Add Payment Method'],
    fill: { Tenant: '3', 'Payment Platform': 'apex', 'API Key': 'a', 'Secret Key': 'b', 'Merchant ID': 'c' },
    send: 'Create',
  },
  {
    name: 'Edit Payment Method',
    node: <PaymentMethods />,
    press: ['Edit'],
    fill: { 'API Key': 'k', 'Secret Key': 's', 'Merchant ID': 'm' },
    send: 'Update',
  },
  {
    name: "A payment method's webhook",
    node: <PaymentMethods />,
    press: ['Edit'],
    fill: { 'Your password': PASSWORD },
    send: 'Show Secret',
  },
  { name: 'Delete a payment method', node: <PaymentMethods />, press: ['Delete'], send: 'Delete' },
];

/** A tenant admin's. */
const ofOne: Omit<Surface, 'by'>[] = [
  { name: 'Tenant admin', node: panel, at: '/?tab=platforms' },
  { name: 'Search', feature: 'search', node: <Search screens={[]} tools={[]} onClose={close} /> },
  { name: 'Audit', feature: 'audit', node: <AuditLog onClose={close} /> },
  { name: 'Books', feature: 'books', node: <Books onClose={close} />, send: 'Verify now' },
  { name: 'Accounts of a tenant', feature: 'accounts', node: accounts, send: 'Require an account of each payment' },
  {
    name: 'Add account',
    feature: 'accounts',
    node: accounts,
    press: ['Add account'],
    fill: { Name: 'Bank' },
    send: 'Save',
  },
  {
    name: 'Edit an account',
    feature: 'accounts',
    node: accounts,
    press: ['Edit…'],
    fill: { Name: 'Bank' },
    send: 'Save',
  },
  { name: 'Movements of an account', feature: 'accounts', node: accounts, press: ['Movements…'] },
  {
    name: 'Buy, move or correct',
    feature: 'accounts',
    node: accounts,
    press: ['Buy, move or correct'],
    fill: { Into: '2', 'Paid, in dollars': '10', Credits: '50' },
    send: 'Save',
  },
  { name: 'Shifts of a tenant', feature: 'shifts', node: shifts, send: 'Require an open shift' },
  {
    name: 'Open a shift',
    feature: 'shifts',
    node: shifts,
    press: ['Open my shift'],
    fill: { '…, in dollars': '10' },
    send: 'Open shift',
  },
  {
    name: 'Close a shift',
    feature: 'shifts',
    node: shifts,
    press: ['Close the shift…'],
    fill: { '…, in dollars': '5' },
    send: 'Close shift',
  },
  { name: 'Shifts of a day as a file', feature: 'shifts', node: shifts, send: 'Export shifts' },
  { name: 'Profit of a span', feature: 'overview', node: <Overview />, press: ['Profit'] },
  { name: 'One shift', feature: 'shifts', node: shifts, press: ['Show the shift…'] },
  {
    name: 'Payouts of players',
    feature: 'eligibility',
    node: <YearPayouts tenantId={2} />,
    send: 'Export payouts',
  },
  {
    name: 'API keys',
    feature: 'api_keys',
    node: <ApiKeys onClose={close} />,
    fill: { Name: 'S', 'Your password': PASSWORD },
    send: 'Create API key',
  },
  { name: 'Team', feature: 'permissions', node: <Team onClose={close} /> },
  { name: 'Approvals', feature: 'approvals', node: <Approvals tenantId={2} onClose={close} /> },
  { name: 'Account', feature: 'account', node: <Account onClose={close} /> },
  {
    name: 'A new password',
    feature: 'account',
    node: <Account onClose={close} />,
    fill: { 'Current password': PASSWORD, 'New password': 'A long secret 7' },
    send: 'Change password',
  },
  {
    name: 'Two-factor sign-in',
    feature: 'account',
    node: <Account onClose={close} />,
    fill: { Password: PASSWORD },
    send: 'Set up',
  },
  {
    name: 'Limits of approvals',
    feature: 'approvals',
    node: <Approvals tenantId={2} onClose={close} />,
    fill: { 'Two people for payouts from': '100' },
    send: 'Save limits',
  },
  {
    name: 'Revoke an API key',
    feature: 'api_keys',
    node: <ApiKeys onClose={close} />,
    press: ['Revoke'],
    send: 'Revoke',
  },
  { name: "A tenant's Purchases", node: purchases },
  { name: 'Redeem', node: purchases, press: ['Redeem'], fill: { Platform: 'vblink', Amount: '100' }, send: 'Submit' },
  { name: 'Details of a purchase', node: purchases, press: ['Details'] },
  { name: 'Export of purchases', node: purchases, send: 'Export CSV' },
  { name: 'Views of purchases', node: purchases, press: ['Views'] },
  { name: "A tenant's Deposits", node: <Deposits tenantId={2} /> },
  { name: 'Export of deposits', node: <Deposits tenantId={2} />, send: 'Export CSV' },
  { name: "A tenant's Returns", feature: 'returns', node: returns },
  { name: 'Export of returns', feature: 'returns', node: returns, send: 'Export CSV' },
  { name: 'Record Return', feature: 'returns', node: returns, press: ['Record Return'] },
  { name: 'Paid from the game', feature: 'returns', node: returns, press: ['Winnings are paid…'], send: 'Change' },
  { name: "A tenant's Redeems", node: redeems },
  { name: 'Export of redeems', node: redeems, send: 'Export CSV' },
  { name: 'Take a redeem', feature: 'claims', node: redeems, send: 'Take' },
  {
    name: 'Queue settings',
    feature: 'late_minutes',
    node: redeems,
    press: ['Queue settings'],
    fill: { 'Redeems late (min)': '45' },
    send: 'Save',
  },
  { name: 'Create Manual Redeem', node: redeems, press: ['Create Manual Redeem'] },
  { name: "A tenant's Users", node: users },
  {
    name: 'Filters of users',
    node: users,
    at: '/?segment=ggr%3A..1000000',
    press: ['Filters…'],
    fill: { Tags: 'vip' },
  },
  { name: 'Links of a tenant', feature: 'link_templates', node: platforms },
  {
    name: 'Edit the links',
    node: platforms,
    press: ['Links'],
    fill: { Name: 'Chat', Address: 'https://chat.test/{player_id}' },
    send: 'Save',
  },
  { name: 'Export of users', node: users, send: 'Export CSV' },
  { name: 'Import Users', node: users, press: ['Import'] },
  { name: 'Create User', node: users, press: ['Create User'] },
  { name: 'Edit User', node: users, press: ['Edit'], fill: { 'First Name': 'Pamela' }, send: 'Save' },
  { name: 'Edit Balances', node: users, press: ['Edit Balances'], fill: { Credit: '5' }, send: 'Save' },
  { name: 'Platform Credentials', node: users, at: '/?search=pam', press: ['Platform Credentials'] },
  {
    name: 'Edit a platform login',
    node: users,
    at: '/?search=pam',
    press: ['Platform Credentials', 'Edit'],
    fill: { Username: 'new' },
    send: 'Save',
  },
  {
    name: 'Add login',
    node: users,
    at: '/?search=pam',
    press: ['Platform Credentials', 'Add login'],
    fill: { Platform: 'vblink', Username: 'new' },
    send: 'Add',
  },
  { name: 'Switch a login', node: users, at: '/?search=pam', press: ['Platform Credentials'], send: '… is active' },
  {
    name: "Copy a login's password",
    node: users,
    at: '/?search=pam',
    press: ['Platform Credentials'],
    send: 'Copy Password',
  },
  { name: 'What a redeem needs', feature: 'player_logins', node: redeems, press: ['Look up'] },
  {
    name: 'Panel address',
    feature: 'player_logins',
    node: platforms,
    press: ['Panel address'],
    fill: { Address: 'https://panel.test/acme' },
    send: 'Save',
  },
  { name: 'Transaction History', node: users, at: '/?search=pam', press: ['Transaction History'] },
  { name: 'Delete a user', node: users, press: ['Delete'], send: 'Delete' },
  { name: 'Actions for a user', node: users, press: ['Actions for…'] },
  { name: "A user's view", node: users, at: '/?search=pam', press: ['View'] },
  ...['Balances', 'Purchases', 'Redeems', 'Platform Logins', 'History'].map((part) => ({
    name: `A user's view, ${part}`,
    node: users,
    at: '/?search=pam',
    press: ['View', part],
  })),
  {
    name: "A user's view, Notes",
    node: users,
    at: '/?search=pam',
    press: ['View', 'Notes'],
    fill: { 'New note': 'Called' },
    send: 'Add note',
  },
  {
    name: "A user's tags",
    node: users,
    at: '/?search=pam',
    press: ['View'],
    fill: { 'New tag': 'new' },
    send: 'Add tag',
  },
  {
    name: 'Personal data',
    feature: 'personal_data',
    node: users,
    at: '/?search=pam',
    press: ['View'],
    send: 'Personal data',
    isRead: true,
  },
  {
    name: 'Eligibility',
    feature: 'eligibility',
    node: users,
    at: '/?search=pam',
    press: ['View', 'Eligibility'],
    fill: { Region: 'US-TX' },
    send: 'Save',
  },
  {
    name: 'Who may play',
    feature: 'eligibility',
    node: platforms,
    press: ['Who may play'],
    fill: { 'Minimum age': '21' },
    send: 'Save',
  },
  {
    name: 'Break and limits',
    feature: 'protection',
    node: users,
    at: '/?search=pam',
    press: ['View', 'Break and limits'],
    fill: { 'Deposits a day': '50' },
    send: 'Save',
  },
  {
    name: 'Possible doubles',
    feature: 'protection',
    ...pairs,
    press: ['Possible doubles', 'Dismiss…'],
    send: 'Dismiss',
  },
  {
    name: 'Link doubles',
    feature: 'protection',
    ...pairs,
    press: ['Possible doubles', 'Link…'],
    send: 'Link',
  },
  {
    name: 'Unlink',
    feature: 'protection',
    node: users,
    at: '/?search=pam',
    press: ['View', 'Unlink'],
    send: 'Unlink',
  },
  { name: 'Hold payouts', node: users, at: '/?search=pam', press: ['View', 'Hold payouts'], send: 'Hold payouts' },
  {
    name: 'Affiliate Tracking',
    node: <AffiliateTracking tenantId={2} />,
    fill: { 'Affiliate ID': 'AFF1' },
    send: 'Get Stats',
    isRead: true,
  },
  { name: 'Platform Management', node: platforms },
  { name: 'Info of a platform', node: platforms, press: ['Info'] },
  {
    name: 'Add Platform Credentials',
    node: platforms,
    press: ['Add'],
    fill: { Username: 'a', Password: 'b' },
    send: 'Save',
  },
  { name: 'Notifications', feature: 'notifications', node: <Bell />, press: ['Notifications…'] },
  {
    name: 'Rules and channels',
    feature: 'notifications',
    node: <Bell />,
    press: ['Notifications…', 'Rules and channels'],
  },
];

export const surfaces: Surface[] = [
  ...ofAll.map((one) => ({ by: 'sue' as const, ...one })),
  ...ofOne.map((one) => ({ by: 'ann' as const, ...one })),
];
