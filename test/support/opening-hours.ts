// What tests give places: settings of units, opening hours among them, and exceptions.

import type { WriteDb } from '../../src/database/db.ts';
import type { LocationKey } from '../../src/permissions/coverage.ts';

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** The opening settings of a week from Monday on; undefined gives a day nothing. */
export function weekOpeningSettings(...texts: readonly (string | undefined)[]): [name: string, value: string][] {
  return texts.flatMap((text, at) => (text === undefined ? [] : [[`Opening${weekdays[at]}`, text] as const]));
}

/** The same hours on every day. */
export const sameHoursEveryDay = (text: string): [name: string, value: string][] =>
  weekOpeningSettings(...weekdays.map(() => text));

/** Unit 0 is the whole location. */
export async function insertOpeningException(
  db: WriteDb,
  { bankId, locationId, unitId = 0 }: LocationKey & { readonly unitId?: number },
  day: string,
  intervals: string,
  text = '',
): Promise<void> {
  const at = { bank_id: bankId, location_id: locationId, unit_id: unitId };
  await db
    .insertInto('opening_exceptions')
    .values({ ...at, day, intervals, text })
    .execute();
}
