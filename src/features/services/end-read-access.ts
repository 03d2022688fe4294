// Ends the read access that a manager granted to keys of services, in a transaction that changes the manager.

import type { WriteDb } from '../../database/db.ts';
import type { WholeTenant } from '../../permissions/coverage.ts';
import type { AuditActor } from '../audit/rules/audit-actor.ts';
import { listServicesGrantedBy, replaceGrantedOperations } from './queries/read-access.ts';
import { readService } from './queries/services.ts';
import { columnsOfAccess, noAccess, recordAccess, toReadAccess } from './rules/read-access.ts';
import { storeServiceChange } from './write-service.ts';

/**
 * Appends to the audit log. All services were locked before: whoever grants something at the same time is still an active
 * manager, or finds that they are not.
 */
export async function endReadAccess(
  db: WriteDb,
  tenant: WholeTenant,
  managerId: number,
  actor: AuditActor,
): Promise<void> {
  for (const service of await listServicesGrantedBy(db, tenant, managerId)) {
    const row = await readService(db, service);
    const before = toReadAccess(row);
    await replaceGrantedOperations(db, service, noAccess.operations);
    await storeServiceChange(
      db,
      actor,
      { service, row },
      {
        field: 'ReadAccess',
        old_value: String(before.operations.length),
        new_value: '0',
        columns: columnsOfAccess(noAccess, actor.now),
        recorded: { before: recordAccess(service.tenant, before), after: recordAccess(service.tenant, noAccess) },
      },
    );
  }
}
