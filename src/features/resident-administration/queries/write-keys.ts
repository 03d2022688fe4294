// Writes what follows from new keys of many residents: their revisions, and the words by which they are found.

import { sql } from 'kysely';
import type { WriteDb } from '../../../database/db.ts';
import { replaceRows } from '../../../database/statements/insert-rows.ts';
import { listSearchWords } from '../../../lib/text/search-words.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import type { NewKey } from './write-resident.ts';

/** The numbers become words of their residents, who keep the others. */
export const addKeyWords = (db: WriteDb, { bankId }: GrantedBank, keys: readonly NewKey[]): Promise<void> =>
  replaceRows(
    db,
    'resident_words',
    keys.flatMap(({ residentId, key: { number } }) =>
      listSearchWords([number]).map((word) => ({ bank_id: bankId, word, resident_id: residentId })),
    ),
  );

/** The resident as it was before. The caller counts on. */
type AdvancedResident = { revision: number; readonly locationId: number | null };

/** Advances the revision of each resident as often as its id is there. */
export async function advanceRevisions(
  db: WriteDb,
  { bankId }: GrantedBank,
  residentIds: readonly number[],
): Promise<ReadonlyMap<number, AdvancedResident>> {
  const rows = await db
    .selectFrom('residents')
    .select(['resident_id', 'revision', 'location_id'])
    .where('bank_id', '=', bankId)
    .where(db.dialect.inList(sql.ref('resident_id'), [...new Set(residentIds)]))
    .execute();
  const counts = Map.groupBy(residentIds, (id) => id);
  const idsByCount = Map.groupBy(counts.keys(), (id) => counts.get(id)!.length);
  for (const [count, ids] of idsByCount)
    await db
      .updateTable('residents')
      .set((eb) => ({ revision: eb('revision', '+', count) }))
      .where('bank_id', '=', bankId)
      .where(db.dialect.inList(sql.ref('resident_id'), ids))
      .execute();
  return new Map(
    rows.map(({ resident_id, revision, location_id }) => [resident_id, { revision, locationId: location_id }]),
  );
}
