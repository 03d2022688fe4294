// Reads and writes the exceptions of opening hours.

import { sql } from 'kysely';
import type { Db, WriteDb } from '../../../database/db.ts';
import { onEqual } from '../../../database/statements/on-equal.ts';
import { runPrepared } from '../../../database/statements/prepared-query.ts';
import type { GrantedLocation, UnitKey, WholeGrantedBank } from '../../../permissions/coverage.ts';
import { openingSettingNames } from '../../units/catalogue/opening-settings.ts';
import type { OpeningExceptionRow } from '../rules/exception-lookup.ts';

/** Both days `YYYY-MM-DD`, inclusive. */
export const listOpeningExceptions = (
  db: Db,
  location: GrantedLocation,
  days: { readonly fromDay: string; readonly throughDay: string },
): Promise<OpeningExceptionRow[]> =>
  runPrepared(db, 'opening exceptions', { ...location, ...days }, (bind) =>
    db
      .selectFrom('opening_exceptions')
      .select(['unit_id', 'day', 'intervals', 'text'])
      .where('bank_id', '=', bind<number>('bankId'))
      .where('location_id', '=', bind<number>('locationId'))
      .where('day', '>=', bind<string>('fromDay'))
      .where('day', '<=', bind<string>('throughDay')),
  );

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
    .innerJoin('units as u', onEqual('u', 's', 'bank_id', 'location_id', 'unit_id'))
    .selectAll('s')
    .where('s.bank_id', '=', bankId)
    .where(db.dialect.inList(sql.ref<number>('s.location_id'), locationIds))
    .where('s.name', 'in', openingSettingNames)
    .where('u.computer_name', 'is not', null)
    .where('u.deleted_at', 'is', null)
    .orderBy('s.location_id')
    .orderBy('s.unit_id')
    .orderBy('s.version')
    .orderBy('s.name')
    .execute();

export type WrittenWeekday = Awaited<ReturnType<typeof listWrittenWeekdays>>[number];
