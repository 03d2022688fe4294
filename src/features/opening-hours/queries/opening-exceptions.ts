// Lists the opening exceptions of a location and of its units.

import type { Db } from '../../../database/db.ts';
import { runPrepared } from '../../../database/statements/prepared-query.ts';
import type { GrantedLocation } from '../../../permissions/coverage.ts';
import type { OpeningExceptionRow } from '../rules/exception-lookup.ts';

/** Both days `YYYY-MM-DD`, inclusive. */
export function listOpeningExceptions(
  db: Db,
  location: GrantedLocation,
  days: { readonly fromDay: string; readonly throughDay: string },
): Promise<OpeningExceptionRow[]> {
  return runPrepared(db, 'opening exceptions', { ...location, ...days }, (bind) =>
    db
      .selectFrom('opening_exceptions')
      .select(['unit_id', 'day', 'intervals', 'text'])
      .where('bank_id', '=', bind<number>('bankId'))
      .where('location_id', '=', bind<number>('locationId'))
      .where('day', '>=', bind<string>('fromDay'))
      .where('day', '<=', bind<string>('throughDay')),
  );
}
