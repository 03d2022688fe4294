// Lists the deleted locations of a bank.

import type { Db } from '../../../database/db.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';

export async function listDeletedLocationIds(db: Db, { bankId }: GrantedBank): Promise<number[]> {
  const rows = await db
    .selectFrom('locations')
    .select('location_id')
    .where('bank_id', '=', bankId)
    .where('deleted_at', 'is not', null)
    .execute();
  return rows.map(({ location_id }) => location_id);
}
