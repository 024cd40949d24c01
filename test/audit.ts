/** The audit log as a reader sees it, past the call. */
import type { AuditEntry } from '../src/contract/entities';
import { openWords, type StoredEntry } from '../src/server/audit/personal';
import { services, sql } from './world';

export type AuditRow = Omit<AuditEntry, 'at'>;

/** Every entry, oldest first, with the words about players decrypted. */
export const readAuditLog = async (secrets = services.secrets): Promise<AuditRow[]> =>
  openWords(
    secrets,
    await sql<(AuditRow & StoredEntry)[]>`
      select a.*, k.sealed as player_key, p.deleted_at is not null as is_gone
      from audit_log a
        left join players p on p.tenant_id = a.tenant_id and p.id = a.player_id
        left join player_keys k on k.tenant_id = a.tenant_id and k.player_id = a.player_id
      order by a.id`,
  );
