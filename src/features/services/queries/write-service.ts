// Writes services: the lock, the profile, and the history.

import type { WriteDb } from '../../../database/db.ts';
import type { Tables } from '../../../database/tables.ts';
import type { WholeTenant } from '../../../permissions/coverage.ts';
import type { StoredService } from '../granted-service.ts';
import type { ServiceRow } from './services.ts';

/** Updates the service's row, which is the lock row of its writes. */
export async function lockService(db: WriteDb, { serviceId }: StoredService): Promise<void> {
  await db
    .updateTable('services')
    .set(({ eb }) => ({ writes: eb('writes', '+', 1) }))
    .where('service_id', '=', serviceId)
    .execute();
}

/** Locks every service of the tenant, in the order of their numbers. */
export async function lockAllServices(db: WriteDb, _tenant: WholeTenant): Promise<void> {
  await db
    .updateTable('services')
    .set(({ eb }) => ({ writes: eb('writes', '+', 1) }))
    .execute();
}

export type ServiceColumns = Partial<
  Pick<
    Tables['services'],
    'name' | 'icon' | 'api_key_hash' | 'api_key_environment' | 'access_granted_by' | 'access_granted_at'
  >
>;

/** Changes a service that still has the row's revision; false if somebody else was faster. */
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
