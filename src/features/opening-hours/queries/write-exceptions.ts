// Deletes opening exceptions, and lists the weekdays with which the hours of units are sent again.

import { sql } from 'kysely';
import type { Db, WriteDb } from '../../../database/db.ts';
import type { UnitKey, WholeGrantedBank } from '../../../permissions/coverage.ts';
import { openingSettings } from '../../units/catalogue/opening-settings.ts';

export async function deleteException(
  db: WriteDb,
  { bankId, locationId, unitId }: UnitKey,
  day: string,
): Promise<void> {
  await db
    .deleteFrom('opening_exceptions')
    .where('bank_id', '=', bankId)
    .where('location_id', '=', locationId)
    .where('unit_id', '=', unitId)
    .where('day', '=', day)
    .execute();
}

/** The weekdays of units that are connected, those that were written last after the others. */
export const listWrittenWeekdays = (db: Db, { bankId }: WholeGrantedBank, locationIds: readonly number[]) =>
  db
    .selectFrom('unit_settings as s')
    .innerJoin('units as u', (join) =>
      join
        .onRef('u.bank_id', '=', 's.bank_id')
        .onRef('u.location_id', '=', 's.location_id')
        .onRef('u.unit_id', '=', 's.unit_id'),
    )
    .selectAll('s')
    .where('s.bank_id', '=', bankId)
    .where(db.dialect.inList(sql.ref<number>('s.location_id'), locationIds))
    .where(
      's.name',
      'in',
      openingSettings.map(({ name }) => name),
    )
    .where('u.computer_name', 'is not', null)
    .where('u.deleted_at', 'is', null)
    .orderBy('s.location_id')
    .orderBy('s.unit_id')
    .orderBy('s.version')
    .orderBy('s.name')
    .execute();

export type WrittenWeekday = Awaited<ReturnType<typeof listWrittenWeekdays>>[number];
