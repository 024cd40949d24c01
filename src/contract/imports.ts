/** What a file of an import holds and how it travels. */

export const importKinds = ['players', 'transactions'] as const;
export type ImportKind = (typeof importKinds)[number];

/** Rows of a batch, which is one call and one transaction. */
export const IMPORT_ROWS = 500;
/** Characters of a batch's rows. A record as long as this is a broken one: a quotation mark that is never closed. */
export const IMPORT_CHARS = 128 * 1024;
/** Bytes of a batch as it is sent. */
export const IMPORT_BYTES = 640 * 1024;

interface ImportColumn {
  /** Other headers for it, those of our own exports among them. */
  also?: readonly string[];
  isRequired?: true;
  /** Its cells in the two rows of the sample file. */
  sample: readonly [string, string];
}

/** The columns a file may have, in the order of the sample file. What came in is known by this order: a new column goes to the end. */
export const importColumns = {
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
} as const satisfies Record<ImportKind, Record<string, ImportColumn>>;

export type PlayerColumn = keyof typeof importColumns.players;
export type MoneyColumn = keyof typeof importColumns.transactions;

/** The columns of one kind by their names. */
export const getImportColumns = (kind: ImportKind): [name: string, column: ImportColumn][] => Object.entries<ImportColumn>(importColumns[kind]);

/** Whole records of a CSV file, and its header; needs the feature `import`. */
export interface ImportBatch {
  /** Into which it goes: always one. */
  tenant_id: number;
  kind: ImportKind;
  header: string; rows: string;
  /** Where in the file the rows begin; the header is line 1. */
  first_line: number;
  /** What the audit log calls the file. The hash is of all of it, in hexadecimal. */
  file_name?: string | undefined; file_sha256?: string | undefined;
}
/** A row that does not come in, and why. `column` null: the whole row. */
export interface ImportReject { line: number; column: string | null; reason: string }
/** What became, or would become, of the rows of a batch: each is created, there already, or rejected. */
export interface ImportAnswer {
  created: number; existing: number; rejects: ImportReject[];
  /** Headers that mean nothing here. */
  ignored_columns: string[];
  /** Of each row that would be created what it is known by, sealed: a row further down the file with one of these repeats it. Empty once created. */
  keys: string[];
}
