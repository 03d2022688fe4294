// Reads what a held line names besides its keys and references: its computer, and a resident.

import type { Db } from '../../../database/db.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';

export async function findComputerName(
  db: Db,
  { bankId }: GrantedBank,
  computerId: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('computers')
    .select('name')
    .where('bank_id', '=', bankId)
    .where('computer_id', '=', computerId)
    .executeTakeFirst();
  return row?.name;
}

/** Whether a resident of the bank has this id, also a deleted one whose identity has not expired. */
export async function isKnownResident(
  db: Db,
  { bankId }: GrantedBank,
  residentId: number,
  now: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('residents')
    .select('resident_id')
    .where('bank_id', '=', bankId)
    .where('resident_id', '=', residentId)
    .where(({ eb }) => eb.or([eb('expired_at', 'is', null), eb('expired_at', '>', now)]))
    .executeTakeFirst();
  return row !== undefined;
}
