// Finds which of some banks and locations do not exist.

import type { Db } from '../../../database/db.ts';
import type { WholeTenant } from '../../../permissions/coverage.ts';
import type { GrantTarget } from '../rules/manager-state.ts';

/** Those without a row. A deleted bank or location still has one. */
export async function listMissingPlaces(
  db: Db,
  _tenant: WholeTenant,
  places: readonly GrantTarget[],
): Promise<GrantTarget[]> {
  const bankIds = places.map(({ bankId }) => bankId).filter((bankId) => bankId !== 0);
  if (bankIds.length === 0) return [];
  const [banks, locations] = await Promise.all([
    db.selectFrom('banks').select('bank_id').where('bank_id', 'in', bankIds).execute(),
    db.selectFrom('locations').select(['bank_id', 'location_id']).where('bank_id', 'in', bankIds).execute(),
  ]);
  const existing = new Set([
    ...banks.map(({ bank_id }) => `${bank_id}/0`),
    ...locations.map(({ bank_id, location_id }) => `${bank_id}/${location_id}`),
  ]);
  return places.filter(({ bankId, locationId }) => bankId !== 0 && !existing.has(`${bankId}/${locationId}`));
}
