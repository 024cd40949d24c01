import type { ComponentType } from 'react';
import type { Feature } from '../../../contract/constants';
import { ApiKeys } from '../ApiKeys';
import { Account } from '../account/Account';
import { AuditLog } from '../audit/AuditLog';
import { Books } from '../books/Books';
import { Charts } from '../charts/Charts';

export interface Tool {
  name: string;
  feature: Feature;
  Dialog: ComponentType<{ tenantId?: number | undefined; onClose: () => void }>;
}

/** The dialogs that open in place of the search, each if the server offers it. */
export const tools: readonly Tool[] = [
  { name: 'Audit', feature: 'audit', Dialog: AuditLog },
  { name: 'Books', feature: 'books', Dialog: Books },
  { name: 'API keys', feature: 'api_keys', Dialog: ApiKeys },
  { name: 'Account', feature: 'account', Dialog: Account },
  { name: 'Charts', feature: 'charts', Dialog: Charts },
];
