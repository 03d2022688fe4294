// Reads a page of a bank's locations, which GetBankLocations and GetLocationIcons share.

import type { Db } from '../../database/db.ts';
import type { ManagerContext } from '../../http/context/operation-context.ts';
import { showsAddresses, type GrantedBank } from '../../permissions/coverage.ts';
import type { Grants } from '../../permissions/needs.ts';
import { readListPage, type PlaceListEntry, type PlaceListInput, type PlaceListQuery } from './read-list-page.ts';
import { listLocationOverviewRows, listLocationSearchRows, type LocationSearchRow } from './queries/locations.ts';
import { requireBank } from './require-place.ts';

type LocationSort = 'name' | 'address';
export type LocationListQuery = PlaceListQuery<LocationSort>;

type LocationPageContext = Pick<ManagerContext, 'scope' | 'language'>;

/** The bank, and a page of its locations that the grants cover, each with the address that they show. */
export async function readLocationPage(
  db: Db,
  granted: GrantedBank,
  listing: PlaceListInput<LocationSort>,
  { scope: { grants }, language }: LocationPageContext,
) {
  const [bank, page] = await Promise.all([
    requireBank(db, granted),
    readListPage(listing, language, {
      listEntries: async () =>
        (await listLocationSearchRows(db, granted)).map((row) => toListEntry(withShownAddress(grants, row))),
      listRows: async (slice) =>
        (await listLocationOverviewRows(db, granted, slice)).map((row) => withShownPlace(grants, row)),
      idOf: ({ location_id }) => location_id,
    }),
  ]);
  return { bank, page };
}

type ShownAddress = { readonly address: string | null; readonly zip: string | null };

/** Address and postcode are null if they are not shown; then they are not searched either, and sorted as empty. */
const withShownAddress = <T extends LocationSearchRow>(
  grants: Grants,
  row: T,
): Omit<T, keyof ShownAddress> & ShownAddress =>
  showsAddresses(grants, row) ? row : { ...row, address: null, zip: null };

type ShownCoordinates = { readonly latitude: number | null; readonly longitude: number | null };

/** Coordinates tell as much as the address. */
const withShownPlace = <T extends LocationSearchRow & ShownCoordinates>(grants: Grants, row: T) => {
  const shown: ShownCoordinates = showsAddresses(grants, row) ? row : { latitude: null, longitude: null };
  return { ...withShownAddress(grants, row), latitude: shown.latitude, longitude: shown.longitude };
};

const toListEntry = ({
  location_id: id,
  name,
  address,
  zip,
}: ReturnType<typeof withShownAddress>): PlaceListEntry<LocationSort> => ({
  id,
  searchTexts: [name, address ?? '', zip ?? ''],
  sortValues: { name, address: address ?? '' },
});
