/** The password of every account of the sample data. These accounts exist nowhere else. */
export const DEMO_PASSWORD = 'demo-password';

/** The accounts that the sign-in page of the sample data names. */
export const demoAccounts = [
  ['super@demo.test', 'super admin'],
  ['ann@acme.test', 'admin of Acme'],
  ['ben@bravo.test', 'admin of Bravo'],
  ['hana@harbor.test', 'admin of Harbor'],
  ['sam@acme.test', 'support at Acme'],
  ['cleo@acme.test', 'cashier at Acme'],
  ['fay@acme.test', 'finance at Acme'],
  ['mona@acme.test', 'manager of Acme'],
] as const;
