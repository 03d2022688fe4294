// Reads a page of a location's units, which GetLocationUnits and GetUnitIcons share.

import type { Db } from '../../database/db.ts';
import { localiseName, type Language } from '../../lib/text/language.ts';
import type { GrantedLocation } from '../../permissions/coverage.ts';
import { readListPage, type PlaceListEntry, type PlaceListInput, type PlaceListQuery } from './read-list-page.ts';
import type { RowSlice } from './queries/row-slice.ts';
import { listUnitSearchRows } from './queries/units.ts';
import { requireLocation } from './require-place.ts';
import { formatUnitTypeName, typeCodeOf } from './rules/unit-types.ts';

type UnitSort = 'name' | 'unitType';
export type UnitListQuery = PlaceListQuery<UnitSort>;

type UnitPageInput<R> = {
  readonly listing: PlaceListInput<UnitSort>;
  readonly language: Language;
  /** Reads the columns that the operation shows. */
  readonly listRows: (db: Db, location: GrantedLocation, slice: RowSlice) => Promise<R[]>;
};

/** The location, and a page of its units. */
export async function readUnitPage<R extends { readonly unit_id: number }>(
  db: Db,
  granted: GrantedLocation,
  { listing, language, listRows }: UnitPageInput<R>,
) {
  const [location, page] = await Promise.all([
    requireLocation(db, granted),
    readListPage(listing, language, {
      listEntries: () => listUnitEntries(db, granted, language),
      listRows: (slice) => listRows(db, granted, slice),
      idOf: ({ unit_id }) => unit_id,
    }),
  ]);
  return { location, page };
}

async function listUnitEntries(
  db: Db,
  location: GrantedLocation,
  language: Language,
): Promise<PlaceListEntry<UnitSort>[]> {
  const units = await listUnitSearchRows(db, location);
  return units.map((unit) => {
    const code = typeCodeOf(unit);
    const name = localiseName(unit.name, language);
    return {
      id: unit.unit_id,
      searchTexts: [name, formatUnitTypeName(code, language)],
      sortValues: { name, unitType: code ?? 0 },
    };
  });
}
