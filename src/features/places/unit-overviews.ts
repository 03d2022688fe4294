// Reading the overviews of a location: a page of its units.

import type { Db } from '../../database/dialect.ts';
import { formatKid } from '../../lib/kid.ts';
import { localiseName, type Language } from '../../lib/language.ts';
import { readListed, type Entry, type Listing } from './listed.ts';
import type { Asking } from './overviews.ts';
import type { Slice } from './queries/slice.ts';
import { listUnitContacts, listUnitNames, listUnitRows } from './queries/units.ts';
import { unitIcons, unitItem } from './rows.ts';
import { contactBounds } from './rules/contact.ts';
import { demandCovered, demandLocation, type LocationAt } from './sight.ts';
import { typeCodeOf, unitTypeName } from './unit-types.ts';

type UnitListing = Listing<'name' | 'unitType'>;

export async function readLocationUnits(db: Db, asking: Asking, at: LocationAt, listing: UnitListing) {
  const { page } = await readUnits(db, asking, at, listing, listUnitRows);
  const context = { ...asking, locationKid: locationKidOf(asking, at) };
  return { ...page, items: page.items.map((row) => unitItem(row, context)) };
}

export async function readUnitIcons(db: Db, asking: Asking, at: LocationAt, listing: UnitListing) {
  const { location, page } = await readUnits(db, asking, at, listing, listUnitContacts);
  const bounds = contactBounds(location.bank_type, asking.now);
  const context = { locationKid: locationKidOf(asking, at), bounds };
  return { ...page, items: page.items.map((row) => unitIcons(row, context)) };
}

/** A location in sight, and a page of its units; `list` reads what is shown of them. */
async function readUnits<R extends { readonly unit_id: number }>(
  db: Db,
  { scope, language }: Asking,
  at: LocationAt,
  listing: UnitListing,
  list: (db: Db, at: LocationAt, slice: Slice) => Promise<R[]>,
) {
  demandCovered(scope, at);
  const [location, page] = await Promise.all([
    demandLocation(db, scope, at),
    readListed(listing, language, {
      entries: () => readUnitEntries(db, at, language),
      rows: (slice) => list(db, at, slice),
      idOf: ({ unit_id }) => unit_id,
    }),
  ]);
  return { location, page };
}

async function readUnitEntries(db: Db, at: LocationAt, language: Language): Promise<Entry<'name' | 'unitType'>[]> {
  const units = await listUnitNames(db, at);
  return units.map((unit) => {
    const code = typeCodeOf(unit);
    const name = localiseName(unit.name, language);
    return { id: unit.unit_id, searched: [name, unitTypeName(code, language)], sorted: { name, unitType: code ?? 0 } };
  });
}

const locationKidOf = ({ scope }: Asking, at: LocationAt): string =>
  formatKid({ ...at, type: 'location', tenant: scope.tenant });
