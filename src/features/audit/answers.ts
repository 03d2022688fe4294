// Makes the entries of the audit log from rows.

import { formatKid } from '../../lib/kid.ts';
import { formatUtc } from '../../lib/time/ms2000.ts';
import type { ListedAuditEntry } from './queries/audit-page.ts';
import type { AuditContext } from './rules/audit-context.ts';
import type { RecordedValues } from './rules/recorded-values.ts';
import type { AuditLog } from './schemas.ts';

export function toAuditEntry(entry: ListedAuditEntry, tenant: string): AuditLog['items'][number] {
  const { actor_kind, actor_id: id, manager_name: name } = entry;
  const kind = actor_kind as AuditContext['kind'];
  return {
    id: `${entry.chain}-${entry.sequence}`,
    atUtc: formatUtc(entry.at),
    actor: { kind, kid: id === null ? null : formatActorKid(tenant, entry, id), name },
    address: entry.address,
    operation: entry.operation,
    object: entry.object,
    before: parseValues(entry.old_values),
    after: parseValues(entry.new_values),
    requestId: entry.request_id,
    environment: entry.environment as AuditContext['environment'],
  };
}

/** A computer acts only in its bank, whose chain has the entry. */
function formatActorKid(tenant: string, { actor_kind: kind, chain: bankId }: ListedAuditEntry, id: number): string {
  if (kind === 'service') return formatKid({ type: 'service', tenant, serviceId: id });
  if (kind === 'computer') return formatKid({ type: 'computer', tenant, bankId, computerId: id });
  return formatKid({ type: 'manager', tenant, managerId: id });
}

const parseValues = (text: string | null): RecordedValues | null =>
  text === null ? null : (JSON.parse(text) as RecordedValues);
