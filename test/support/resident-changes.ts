// Changes residents as the service does: it publishes the change, and keeps the names of closed periods.

import type { LockableDb } from '../../src/database/db.ts';
import { takeLocks } from '../../src/database/locks.ts';
import type { Tables } from '../../src/database/tables.ts';
import { keepFormerNames } from '../../src/features/residents/queries/former-names.ts';
import { residentsLock } from '../../src/features/residents/queries/residents-version.ts';
import { grantBank } from './granted-banks.ts';

export type ResidentOfBank = { readonly bankId: number; readonly residentId: number; readonly tenant?: string };

/** Changes columns of a resident. */
export async function changeResident(
  db: LockableDb,
  { bankId, residentId, tenant }: ResidentOfBank,
  change: Partial<Tables['residents']>,
): Promise<void> {
  await takeLocks(db, [residentsLock(grantBank(bankId, tenant))]);
  await db
    .updateTable('residents')
    .set(change)
    .where('bank_id', '=', bankId)
    .where('resident_id', '=', residentId)
    .execute();
}

export async function renameResident(
  db: LockableDb,
  { bankId, residentId }: Omit<ResidentOfBank, 'tenant'>,
  name: string,
): Promise<void> {
  const bank = grantBank(bankId);
  await takeLocks(db, [residentsLock(bank)]);
  const resident = await db
    .selectFrom('residents')
    .select('name')
    .where('bank_id', '=', bankId)
    .where('resident_id', '=', residentId)
    .executeTakeFirstOrThrow();
  await keepFormerNames(db, bank, [{ residentId, name: resident.name }]);
  await changeResident(db, { bankId, residentId }, { name });
}
