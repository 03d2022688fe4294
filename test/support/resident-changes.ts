// Changes residents as the service does: announced, and with the names of closed periods kept.

import type { WriteDb } from '../../src/database/db.ts';
import type { Tables } from '../../src/database/tables.ts';
import { keepFormerName } from '../../src/features/residents/queries/former-names.ts';
import { touchResidents } from '../../src/features/residents/queries/residents-version.ts';
import { grantBank } from './granted-banks.ts';

export type ResidentOfBank = { readonly bankId: number; readonly residentId: number; readonly tenant?: string };

/** Changes columns of a resident. */
export async function changeResident(
  db: WriteDb,
  { bankId, residentId, tenant }: ResidentOfBank,
  change: Partial<Tables['residents']>,
): Promise<void> {
  await touchResidents(db, grantBank(bankId, tenant));
  await db
    .updateTable('residents')
    .set(change)
    .where('bank_id', '=', bankId)
    .where('resident_id', '=', residentId)
    .execute();
}

export async function renameResident(
  db: WriteDb,
  { bankId, residentId }: Omit<ResidentOfBank, 'tenant'>,
  name: string,
): Promise<void> {
  const bank = grantBank(bankId);
  await touchResidents(db, bank);
  const resident = await db
    .selectFrom('residents')
    .select('name')
    .where('bank_id', '=', bankId)
    .where('resident_id', '=', residentId)
    .executeTakeFirstOrThrow();
  await keepFormerName(db, bank, { residentId, name: resident.name });
  await changeResident(db, { bankId, residentId }, { name });
}
