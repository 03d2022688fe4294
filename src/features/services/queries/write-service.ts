// Writes services: the lock, the profile, the history, the operations that a key is granted, and when it was last used.

import type { WriteDb, Db } from '../../../database/db.ts';
import { createLock, type Lock } from '../../../database/locks.ts';
import { insertRows } from '../../../database/statements/insert-rows.ts';
import type { Tables } from '../../../database/tables.ts';
import type { WholeTenant } from '../../../permissions/coverage.ts';
import { toStoredService, type StoredService } from '../require-service.ts';
import type { ServiceRow } from './services.ts';

const countWrite = (db: WriteDb) => db.updateTable('services').set(({ eb }) => ({ writes: eb('writes', '+', 1) }));

export const serviceLock = ({ serviceId }: StoredService): Lock<void> =>
  createLock('services', [serviceId], { update: (db) => countWrite(db).where('service_id', '=', serviceId).execute() });

/** Locks every service of the tenant; the engine does so in the order of their numbers. */
export const allServicesLock = (_tenant: WholeTenant): Lock<void> =>
  createLock('services', [], { update: (db) => countWrite(db).execute() });

export type ServiceColumns = Partial<
  Pick<
    Tables['services'],
    | 'name'
    | 'icon'
    | 'api_key_hash'
    | 'api_key_environment'
    | 'api_key_made_by'
    | 'api_key_made_at'
    | 'access_granted_by'
    | 'access_granted_at'
  >
>;

/** Changes a service; false if the revision is no longer that of the row. */
export async function updateService(
  db: WriteDb,
  { serviceId }: StoredService,
  { revision }: ServiceRow,
  changes: ServiceColumns,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('services')
    .set({ ...changes, revision: revision + 1 })
    .where('service_id', '=', serviceId)
    .where('revision', '=', revision)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

export type ServiceChange = Pick<
  Tables['service_history'],
  'revision' | 'changed_at' | 'editor_id' | 'field' | 'old_value' | 'new_value'
>;

export async function insertServiceHistory(
  db: WriteDb,
  { serviceId }: StoredService,
  change: ServiceChange,
): Promise<void> {
  await db
    .insertInto('service_history')
    .values({ service_id: serviceId, ...change })
    .execute();
}

/** Never sets the time back. */
export async function storeKeyUse(db: WriteDb, serviceId: number, usedAt: number): Promise<void> {
  await db.dialect.upsertRows(db, 'service_key_uses', [{ service_id: serviceId, last_used_at: usedAt }], {
    key: ['service_id'],
    sum: [],
    max: ['last_used_at'],
  });
}

/** The services whose keys have read access, and the rights of a manager who made the key or granted the access. */
export async function listServicesOf(
  db: Db,
  tenant: WholeTenant,
  managerId: number,
  { asMaker, asGranter }: { readonly asMaker: boolean; readonly asGranter: boolean },
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
