// Makes the entries of the audit log from rows.

import { formatKid } from '../../lib/kid.ts';
import { formatUtc } from '../../lib/time/ms2000.ts';
import type { ListedAuditEntry } from './queries/audit-page.ts';
import type { AuditContext } from './rules/audit-context.ts';
import type { RecordedValues } from './rules/recorded-values.ts';
import type { AuditLog } from './schemas.ts';

export function toAuditEntry(entry: ListedAuditEntry, tenant: string): AuditLog['items'][number] {
  const { manager_name: name } = entry;
  const kind = entry.actor_kind as AuditContext['kind'];
  return {
    id: `${entry.chain}-${entry.sequence}`,
    atUtc: formatUtc(entry.at),
    actor: { kind, kid: formatActorKid(tenant, entry, kind), name },
    address: entry.address,
    operation: entry.operation,
    object: entry.object,
    before: parseValues(entry.old_values),
    after: parseValues(entry.new_values),
    requestId: entry.request_id,
    environment: entry.environment as AuditContext['environment'],
  };
}

/** A computer acts only in its bank, whose chain has the entry. An operator has no KID. */
function formatActorKid(
  tenant: string,
  { actor_id: id, chain: bankId }: ListedAuditEntry,
  kind: AuditContext['kind'],
): string | null {
  if (id === null) return null;
  switch (kind) {
    case 'service':
      return formatKid({ type: 'service', tenant, serviceId: id });
    case 'computer':
      return formatKid({ type: 'computer', tenant, bankId, computerId: id });
    case 'manager':
      return formatKid({ type: 'manager', tenant, managerId: id });
    case 'operator':
      return null;
  }
}

const parseValues = (text: string | null): RecordedValues | null =>
  text === null ? null : (JSON.parse(text) as RecordedValues);
