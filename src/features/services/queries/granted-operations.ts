// Reads and writes which operations the keys of services may call.

import type { Db, WriteDb } from '../../../database/db.ts';
import { insertRows } from '../../../database/statements/insert-rows.ts';
import type { WholeTenant } from '../../../permissions/coverage.ts';
import { toStoredService, type StoredService } from '../require-service.ts';

type KeyRole = { readonly asMaker: boolean; readonly asGranter: boolean };

/** The services whose keys have read access, and the rights of a manager who made the key or granted the access. */
export async function listServicesOf(
  db: Db,
  tenant: WholeTenant,
  managerId: number,
  { asMaker, asGranter }: KeyRole,
): Promise<StoredService[]> {
  const rows = await db
    .selectFrom('services')
    .select('service_id')
    .where('access_granted_by', 'is not', null)
    .where(({ eb, or }) =>
      or([
        ...(asMaker ? [eb('api_key_made_by', '=', managerId)] : []),
        ...(asGranter ? [eb('access_granted_by', '=', managerId)] : []),
      ]),
    )
    .orderBy('service_id')
    .execute();
  return rows.map(({ service_id }) => toStoredService(tenant, service_id));
}

/** Replaces all that were granted before. */
export async function replaceGrantedOperations(
  db: WriteDb,
  { serviceId }: StoredService,
  operationIds: readonly string[],
): Promise<void> {
  await db.deleteFrom('service_operations').where('service_id', '=', serviceId).execute();
  const rows = operationIds.map((operationId) => ({ service_id: serviceId, operation_id: operationId }));
  if (rows.length > 0) await insertRows(db, 'service_operations', rows);
}
