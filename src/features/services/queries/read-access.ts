// Writes what the key of a service may read, and when it was last used.

import type { WriteDb } from '../../../database/db.ts';
import { insertRows } from '../../../database/insert-rows.ts';
import type { GrantedService } from '../granted-service.ts';

/** In place of all that were granted before. */
export async function replaceGrantedOperations(
  db: WriteDb,
  { serviceId }: GrantedService,
  operationIds: readonly string[],
): Promise<void> {
  await db.deleteFrom('service_operations').where('service_id', '=', serviceId).execute();
  const rows = operationIds.map((operationId) => ({ service_id: serviceId, operation_id: operationId }));
  if (rows.length > 0) await insertRows(db, 'service_operations', rows);
}

/** Never sets it back. */
export async function storeKeyUse(db: WriteDb, serviceId: number, usedAt: number): Promise<void> {
  await db.dialect.upsertRows(db, 'service_key_uses', [{ service_id: serviceId, last_used_at: usedAt }], {
    key: ['service_id'],
    sum: [],
    max: ['last_used_at'],
  });
}
