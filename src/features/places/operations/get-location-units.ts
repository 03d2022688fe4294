// Reading the overviews of a location: a page of its units.

import type { Db } from '../../../database/db.ts';
import { formatKid } from '../../../lib/kid.ts';
import { localiseName, type Language } from '../../../lib/language.ts';
import { readListPage, type PlaceListEntry, type PlaceListInput } from '../list-page.ts';
import type { PlacesViewer } from './get-bank-locations.ts';
import type { RowSlice } from '../queries/row-slice.ts';
import { listUnitContacts, listUnitSearchRows, listUnitOverviewRows } from '../queries/units.ts';
import { toUnitIcons, toUnitItem } from '../rows.ts';
import { contactBounds } from '../rules/contact-status.ts';
import { requireCoveredLocation, type LocationKey } from '../../../permissions/coverage.ts';
import { requireLocation } from '../queries/visible-places.ts';
import { typeCodeOf, formatUnitTypeName } from '../rules/unit-types.ts';

type UnitListInput = PlaceListInput<'name' | 'unitType'>;

export async function getLocationUnits(db: Db, viewer: PlacesViewer, at: LocationKey, listing: UnitListInput) {
  const { page } = await readUnitPage(db, viewer, at, listing, listUnitOverviewRows);
  const context = { ...viewer, locationKid: formatLocationKid(viewer, at) };
  return { ...page, items: page.items.map((row) => toUnitItem(row, context)) };
}

export async function getUnitIcons(db: Db, viewer: PlacesViewer, at: LocationKey, listing: UnitListInput) {
  const { location, page } = await readUnitPage(db, viewer, at, listing, listUnitContacts);
  const bounds = contactBounds(location.bank_type, viewer.now);
  const context = { locationKid: formatLocationKid(viewer, at), bounds };
  return { ...page, items: page.items.map((row) => toUnitIcons(row, context)) };
}

/** A location in sight, and a page of its units; `list` reads what is shown of them. */
async function readUnitPage<R extends { readonly unit_id: number }>(
  db: Db,
  { scope, language }: PlacesViewer,
  at: LocationKey,
  listing: UnitListInput,
  listRows: (db: Db, at: LocationKey, slice: RowSlice) => Promise<R[]>,
) {
  const grantedLocation = requireCoveredLocation(scope, at);
  const [location, page] = await Promise.all([
    requireLocation(db, grantedLocation),
    readListPage(listing, language, {
      listEntries: () => readUnitListEntries(db, at, language),
      listRows: (slice) => listRows(db, at, slice),
      idOf: ({ unit_id }) => unit_id,
    }),
  ]);
  return { location, page };
}

async function readUnitListEntries(
  db: Db,
  at: LocationKey,
  language: Language,
): Promise<PlaceListEntry<'name' | 'unitType'>[]> {
  const units = await listUnitSearchRows(db, at);
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

const formatLocationKid = ({ scope }: PlacesViewer, at: LocationKey): string =>
  formatKid({ ...at, type: 'location', tenant: scope.tenant });
