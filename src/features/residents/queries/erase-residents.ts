// Erases the personal data of residents, also in the plans of imports. Postings, roll-ups and bookings are not touched:
// they show an expired resident as the GDPR user.

import { sql } from 'kysely';
import type { WriteDb } from '../../../database/db.ts';
import { insertRows } from '../../../database/statements/insert-rows.ts';
import { requireLock } from '../../../database/locks.ts';
import { createUserKidFormatter, formatBankKid } from '../../../lib/kid.ts';
import type { WholeGrantedBank } from '../../../permissions/coverage.ts';
import { eraseSyncDetails } from '../../outbox/queries/outbox.ts';
import { erasedColumns } from '../rules/expiry.ts';
import type { DueResident } from './due-residents.ts';
import { residentsLock } from './residents-version.ts';

/** The command in the history of a resident who was erased. */
const historyCommand = 'Anonymise';

const personalTables = ['resident_words', 'resident_keys', 'resident_activations', 'resident_former_names'] as const;

/** The rows must have been read under the lock of the residents. */
export async function eraseResidents(
  db: WriteDb,
  bank: WholeGrantedBank,
  residents: readonly DueResident[],
  now: number,
): Promise<void> {
  requireLock(db, residentsLock(bank));
  const { bankId } = bank;
  const ids = residents.map(({ resident_id: residentId }) => residentId);
  await db
    .updateTable('residents')
    .set((eb) => ({
      ...erasedColumns,
      erased_at: now,
      // A resident who had already expired keeps that time.
      expired_at: sql<number>`case when expired_at <= ${now} then expired_at else ${now} end`,
      revision: eb('revision', '+', 1),
      // A client that has read the address cannot write it again.
      address_revision: eb('address_revision', '+', 1),
    }))
    .where('bank_id', '=', bankId)
    .where('resident_id', 'in', ids)
    .execute();
  for (const table of personalTables)
    await db.deleteFrom(table).where('bank_id', '=', bankId).where('resident_id', 'in', ids).execute();
  await eraseSyncDetails(db, bank, ids);
  await eraseImports(db, bank, ids);
  await db
    .updateTable('resident_history')
    .set({ old_value: null, new_value: null })
    .where('bank_id', '=', bankId)
    .where('resident_id', 'in', ids)
    .execute();
  const records = residents.map(({ resident_id, revision }) => ({
    bank_id: bankId,
    resident_id,
    revision: revision + 1,
    changed_at: now,
    editor_id: null,
    command: historyCommand,
    old_value: null,
    new_value: null,
  }));
  await insertRows(db, 'resident_history', records);
}

/**
 * What imports keep of residents: the rows of files, and the keys that other systems have for them. The same key then
 * means somebody new.
 */
async function eraseImports(
  db: WriteDb,
  { tenant, bankId }: WholeGrantedBank,
  residentIds: readonly number[],
): Promise<void> {
  const kids = residentIds.map(createUserKidFormatter(formatBankKid(tenant, bankId)));
  await db
    .updateTable('import_rows')
    .set({ row_key: '', row_values: null, changes: null, errors: null })
    .where('object_kid', 'in', kids)
    .execute();
  await db.deleteFrom('import_keys').where('object_kid', 'in', kids).execute();
}
