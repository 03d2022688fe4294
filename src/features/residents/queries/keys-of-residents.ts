// Reads the keys of residents, as devices know them.

import type { Db } from '../../../database/db.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import { formatKey, type KeyKind } from '../rules/resident-key.ts';

/** By resident, as in AddKey; residents without keys are missing. */
export async function listKeysOfResidents(
  db: Db,
  { bankId }: GrantedBank,
  residentIds: readonly number[],
): Promise<Map<number, string[]>> {
  if (residentIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('resident_keys')
    .select(['resident_id', 'kind', 'key_number'])
    .where('bank_id', '=', bankId)
    .where('resident_id', 'in', residentIds)
    .orderBy('key_number')
    .execute();
  const byResident = Map.groupBy(rows, ({ resident_id }) => resident_id);
  return new Map(
    [...byResident].map(([residentId, keys]) => [
      residentId,
      keys.map(({ kind, key_number: number }) => formatKey({ kind: kind as KeyKind, number })),
    ]),
  );
}
