// Reading overviews: a page of banks or locations, and what is counted over them in the same snapshot.

import type { Db } from '../../../database/db.ts';
import { formatKid } from '../../../lib/kid.ts';
import type { Language } from '../../../lib/language.ts';
import type { Scope } from '../../../permissions/scope.ts';
import type { Tenant } from '../../../tenants.ts';
import { readListPage, type PlaceListEntry, type PlaceListInput } from '../list-page.ts';
import { listGrantedBanks } from '../queries/granted-places.ts';
import { listBankOverviewRows } from '../queries/banks.ts';
import { countContactsByBank, countContactsByLocation } from '../queries/contact-counts.ts';
import {
  countUnitTypes,
  listLocationSearchRows,
  listLocationOverviewRows,
  type LocationSearchRow,
} from '../queries/locations.ts';
import { contactBounds } from '../rules/contact-status.ts';
import { toBankIcons, toLocationIcons, toLocationItem } from '../rows.ts';
import { requireCoveredBank, type BankKey } from '../../../permissions/coverage.ts';
import { requireBank } from '../queries/visible-places.ts';

/** Who asks at which tenant, when (MS2000), and in which language. */
export type PlacesViewer = {
  readonly scope: Scope;
  readonly tenant: Tenant;
  readonly language: Language;
  readonly now: number;
};

export async function getBankIcons(db: Db, { scope, language, now }: PlacesViewer, listing: PlaceListInput<'name'>) {
  const page = await readListPage(listing, language, {
    listEntries: async () =>
      (await listGrantedBanks(db, scope)).map(({ bank_id: id, name }) => ({
        id,
        searchTexts: [name],
        sortValues: { name },
      })),
    listRows: (slice) => listBankOverviewRows(db, scope, slice),
    idOf: ({ bank_id }) => bank_id,
  });
  const ids = page.items.map(({ bank_id }) => bank_id);
  const counts = await countContactsByBank(db, scope, ids, now);
  const byBank = new Map(counts.map((each) => [each.bank_id, each]));
  return { ...page, items: page.items.map((bank) => toBankIcons(bank, byBank.get(bank.bank_id), scope.tenant)) };
}

type LocationListInput = PlaceListInput<'name' | 'address'>;

export async function getBankLocations(db: Db, viewer: PlacesViewer, at: BankKey, listing: LocationListInput) {
  const { page } = await readLocationPage(db, viewer, at, listing);
  const ids = page.items.map(({ location_id }) => location_id);
  const counts = Map.groupBy(await countUnitTypes(db, at, ids), ({ location_id }) => location_id);
  const context = { ...viewer, bankKid: formatBankKid(viewer, at) };
  return { ...page, items: page.items.map((row) => toLocationItem(row, counts.get(row.location_id) ?? [], context)) };
}

export async function getLocationIcons(db: Db, viewer: PlacesViewer, at: BankKey, listing: LocationListInput) {
  const { bank, page } = await readLocationPage(db, viewer, at, listing);
  const ids = page.items.map(({ location_id }) => location_id);
  const counts = await countContactsByLocation(db, at, ids, contactBounds(bank.bank_type, viewer.now));
  const byLocation = new Map(counts.map((each) => [each.location_id, each]));
  const bankKid = formatBankKid(viewer, at);
  return { ...page, items: page.items.map((row) => toLocationIcons(row, byLocation.get(row.location_id), bankKid)) };
}

async function readLocationPage(db: Db, { scope, language }: PlacesViewer, at: BankKey, listing: LocationListInput) {
  const grantedBank = requireCoveredBank(scope, at);
  const { coverage } = grantedBank;
  const [bank, page] = await Promise.all([
    requireBank(db, grantedBank),
    readListPage(listing, language, {
      listEntries: async () => (await listLocationSearchRows(db, at, coverage)).map(toLocationListEntry),
      listRows: (slice) => listLocationOverviewRows(db, at, coverage, slice),
      idOf: ({ location_id }) => location_id,
    }),
  ]);
  return { bank, page };
}

const toLocationListEntry = ({
  location_id: id,
  name,
  address,
  zip,
}: LocationSearchRow): PlaceListEntry<'name' | 'address'> => ({
  id,
  searchTexts: [name, address, zip],
  sortValues: { name, address },
});

const formatBankKid = ({ scope }: PlacesViewer, { bankId }: BankKey): string =>
  formatKid({ type: 'bank', tenant: scope.tenant, bankId });
