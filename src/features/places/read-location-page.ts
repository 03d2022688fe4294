// Reads a page of a bank's locations, which GetBankLocations and GetLocationIcons share.

import type { Db } from '../../database/db.ts';
import type { Language } from '../../lib/language.ts';
import type { GrantedBank } from '../../permissions/coverage.ts';
import { readListPage, type PlaceListEntry, type PlaceListInput } from './read-list-page.ts';
import { listLocationOverviewRows, listLocationSearchRows, type LocationSearchRow } from './queries/locations.ts';
import { requireBank } from './require-place.ts';

export type LocationListInput = PlaceListInput<'name' | 'address'>;

/** The bank, and a page of its locations that the grants cover. */
export async function readLocationPage(db: Db, granted: GrantedBank, listing: LocationListInput, language: Language) {
  const [bank, page] = await Promise.all([
    requireBank(db, granted),
    readListPage(listing, language, {
      listEntries: async () => (await listLocationSearchRows(db, granted)).map(toListEntry),
      listRows: (slice) => listLocationOverviewRows(db, granted, slice),
      idOf: ({ location_id }) => location_id,
    }),
  ]);
  return { bank, page };
}

const toListEntry = ({
  location_id: id,
  name,
  address,
  zip,
}: LocationSearchRow): PlaceListEntry<'name' | 'address'> => ({
  id,
  searchTexts: [name, address, zip],
  sortValues: { name, address },
});
