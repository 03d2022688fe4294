// Banks with the residents that a test of their administration needs, and what is stored of them.

import type { Tables } from '../../src/database/tables.ts';
import { insertResidents, type NewResidentRow } from '../../src/features/residents/queries/insert-residents.ts';
import { insertTestBank } from './factories.ts';
import type { TestService } from './service.ts';

export type ResidentDraft = Partial<Omit<NewResidentRow, 'bank_id'>>;

/** A bank with two locations, and residents of the first one whose ids follow 1001, unless told otherwise. */
export async function createBankOfResidents(
  { write }: Pick<TestService, 'write'>,
  bankId: number,
  residents: readonly ResidentDraft[] = [{}],
  tenant = 'sund',
): Promise<void> {
  await write(tenant, async (db) => {
    await insertTestBank(db, { bankId });
    await insertResidents(
      db,
      bankId,
      residents.map((draft, at) => createResidentRow(bankId, 1001 + at, draft)),
    );
  });
}

const createResidentRow = (bankId: number, id: number, draft: ResidentDraft): NewResidentRow => ({
  bank_id: bankId,
  resident_id: id,
  location_id: 1,
  name: `Resident ${id}`,
  language: 'en',
  ...draft,
});

/** All stored rows about residents. */
export const residentTables = [
  'residents',
  'resident_heads',
  'resident_words',
  'resident_keys',
  'resident_activations',
  'resident_history',
  'resident_former_names',
  'device_sync',
] as const satisfies readonly (keyof Tables)[];

export const readHistory = (
  { read }: Pick<TestService, 'read'>,
  bankId: number,
): Promise<Tables['resident_history'][]> =>
  read('sund', (db) =>
    db.selectFrom('resident_history').selectAll().where('bank_id', '=', bankId).orderBy('revision').execute(),
  );

/** The locations to which a change of residents was queued, the first one first. */
export async function readQueuedLocations(
  { read }: Pick<TestService, 'read'>,
  bankId: number,
): Promise<(readonly [subjectId: number, locationId: number])[]> {
  const rows = await read('sund', (db) =>
    db
      .selectFrom('device_sync')
      .select(['subject_kind', 'subject_id', 'location_id', 'unit_id', 'state'])
      .where('bank_id', '=', bankId)
      .orderBy('sync_id')
      .execute(),
  );
  return rows.map(({ subject_kind, subject_id, location_id, unit_id, state }) => {
    if (subject_kind !== 'resident' || unit_id !== 0 || state !== 'queued') throw new Error('not of a resident');
    return [subject_id, location_id] as const;
  });
}
