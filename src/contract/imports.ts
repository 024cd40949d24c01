/** Files that are imported, and the batches in which they are sent (docs/importing.md, "Import and export"). */

export const importKinds = ['players', 'transactions', 'logins'] as const;
export type ImportKind = (typeof importKinds)[number];

/** The most rows in a batch. A batch is one call and one transaction. */
export const IMPORT_ROWS = 500;
/** The most characters in a batch's rows. A longer record is broken: a quotation mark is never closed. */
export const IMPORT_CHARS = 128 * 1024;
/** The most bytes of a batch on the wire. */
export const IMPORT_BYTES = 640 * 1024;

interface ImportColumn {
  /** Other accepted headers, including those of our own exports. */
  also?: readonly string[];
  isRequired?: true;
  /** Its cells in the two rows of the sample file. */
  sample: readonly [string, string];
}

/** The columns of a file, in the order by which imported rows are recognized: add new ones at the end. */
const importColumns = {
  players: {
    source_id: { also: ['id'], sample: ['P-1001', 'P-1002'] },
    email: { also: ['user_email'], isRequired: true, sample: ['pam@mail.example', 'quinn@mail.example'] },
    first_name: { sample: ['Pam', 'Quinn'] },
    last_name: { sample: ['Poe', "O'Hara"] },
    phone_number: { also: ['phone'], sample: ['+1 555 010 2000', ''] },
    referral_id: { also: ['referral'], sample: ['', 'REF-7'] },
    affiliate_id: { also: ['affiliate'], sample: ['AFF-1001', ''] },
    external_id: { sample: ['U-77', ''] },
    is_active: { also: ['active'], sample: ['yes', 'no'] },
    created_at: { sample: ['2024-03-01T18:30:00Z', '2024-05-17 09:15'] },
    credit_balance: { also: ['credit'], sample: ['125.50', '0'] },
    bonus_balance: { also: ['bonus'], sample: ['10', ''] },
    vip_balance: { also: ['vip'], sample: ['', ''] },
    loyalty_balance: { also: ['loyalty'], sample: ['', '4.25'] },
  },
  transactions: {
    source_id: { also: ['id'], sample: ['T-90001', 'T-90002'] },
    user_email: { also: ['email'], sample: ['pam@mail.example', 'pam@mail.example'] },
    user_source_id: { sample: ['', ''] },
    transaction_type: { also: ['type'], isRequired: true, sample: ['TOP_UP', 'REDEEM'] },
    status: { isRequired: true, sample: ['success', 'pending'] },
    amount: { isRequired: true, sample: ['100.00', '50.00'] },
    net_amount: { sample: ['97.00', ''] },
    payment_method: { sample: ['Card', ''] },
    deposit_type: { sample: ['', ''] },
    platform: { sample: ['', 'vblink'] },
    payout_method: { sample: ['', 'Cash Tag'] },
    payout_address: { sample: ['', '$pam'] },
    initiated_at: { isRequired: true, sample: ['2026-01-31T13:45:00Z', '2026-02-01 08:00'] },
    completed_at: { sample: ['2026-01-31T13:46:10Z', ''] },
    description: { sample: ['First purchase', ''] },
    payment_reference: { also: ['reference'], sample: ['ch_3Qx81', ''] },
  },
  logins: {
    player_email: {
      also: ['email', 'user_email'],
      isRequired: true,
      sample: ['pam@mail.example', 'quinn@mail.example'],
    },
    platform: { also: ['platform_name'], isRequired: true, sample: ['vblink', 'yolo'] },
    username: { also: ['platform_username'], isRequired: true, sample: ['pam01', 'quinn7'] },
    password: { also: ['platform_password'], sample: ['8fK2pQ', ''] },
  },
} as const satisfies Record<ImportKind, Record<string, ImportColumn>>;

/** The columns of a kind of file with their names. */
export const getImportColumns = (kind: ImportKind): [name: string, column: ImportColumn][] =>
  Object.entries<ImportColumn>(importColumns[kind]);
