// Reading overviews: a page of banks or locations, and what is counted over them in the same snapshot.

import type { Db } from '../../database/dialect.ts';
import { formatKid } from '../../lib/kid.ts';
import type { Language } from '../../lib/language.ts';
import type { Scope } from '../../permissions/scope.ts';
import type { Tenant } from '../../tenants.ts';
import { readListed, type Entry, type Listing } from './listed.ts';
import { listBanks } from './queries/granted.ts';
import { listBankRows } from './queries/banks.ts';
import { countBankContacts, countLocationContacts } from './queries/contacts.ts';
import { countUnitTypes, listLocationNames, listLocationRows, type LocationName } from './queries/locations.ts';
import { contactBounds } from './rules/contact.ts';
import { bankIcons, locationIcons, locationItem } from './rows.ts';
import { demandBank, demandReach, type BankAt } from './sight.ts';

/** Who asks at which tenant, when (MS2000), and in which language. */
export type Asking = {
  readonly scope: Scope;
  readonly tenant: Tenant;
  readonly language: Language;
  readonly now: number;
};

export async function readBankIcons(db: Db, { scope, language, now }: Asking, listing: Listing<'name'>) {
  const page = await readListed(listing, language, {
    entries: async () =>
      (await listBanks(db, scope)).map(({ bank_id: id, name }) => ({ id, searched: [name], sorted: { name } })),
    rows: (slice) => listBankRows(db, scope, slice),
    idOf: ({ bank_id }) => bank_id,
  });
  const ids = page.items.map(({ bank_id }) => bank_id);
  const counts = await countBankContacts(db, scope, ids, now);
  const byBank = new Map(counts.map((each) => [each.bank_id, each]));
  return { ...page, items: page.items.map((bank) => bankIcons(bank, byBank.get(bank.bank_id), scope.tenant)) };
}

type LocationListing = Listing<'name' | 'address'>;

export async function readBankLocations(db: Db, asking: Asking, at: BankAt, listing: LocationListing) {
  const { page } = await readLocations(db, asking, at, listing);
  const ids = page.items.map(({ location_id }) => location_id);
  const counts = Map.groupBy(await countUnitTypes(db, at, ids), ({ location_id }) => location_id);
  const context = { ...asking, bankKid: bankKidOf(asking, at) };
  return { ...page, items: page.items.map((row) => locationItem(row, counts.get(row.location_id) ?? [], context)) };
}

export async function readLocationIcons(db: Db, asking: Asking, at: BankAt, listing: LocationListing) {
  const { bank, page } = await readLocations(db, asking, at, listing);
  const ids = page.items.map(({ location_id }) => location_id);
  const counts = await countLocationContacts(db, at, ids, contactBounds(bank.bank_type, asking.now));
  const byLocation = new Map(counts.map((each) => [each.location_id, each]));
  const bankKid = bankKidOf(asking, at);
  return { ...page, items: page.items.map((row) => locationIcons(row, byLocation.get(row.location_id), bankKid)) };
}

async function readLocations(db: Db, { scope, language }: Asking, at: BankAt, listing: LocationListing) {
  const reach = demandReach(scope, at);
  const [bank, page] = await Promise.all([
    demandBank(db, scope, at),
    readListed(listing, language, {
      entries: async () => (await listLocationNames(db, at, reach)).map(locationEntry),
      rows: (slice) => listLocationRows(db, at, reach, slice),
      idOf: ({ location_id }) => location_id,
    }),
  ]);
  return { bank, page };
}

const locationEntry = ({ location_id: id, name, address, zip }: LocationName): Entry<'name' | 'address'> => ({
  id,
  searched: [name, address, zip],
  sorted: { name, address },
});

const bankKidOf = ({ scope }: Asking, { bankId }: BankAt): string =>
  formatKid({ type: 'bank', tenant: scope.tenant, bankId });
