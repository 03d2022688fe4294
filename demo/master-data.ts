// Writes everything that must exist before the first posting: the tenant's settings, places, residents and managers.

import type { LockableDb, WriteDb } from '../src/database/db.ts';
import { insertRows } from '../src/database/statements/insert-rows.ts';
import { takeLocks } from '../src/database/locks.ts';
import type { AddressColumns } from '../src/database/tables/address-columns.ts';
import type { Tables } from '../src/database/tables.ts';
import { recordOf } from '../src/lib/values/fields.ts';
import type { AddressText } from '../src/features/addresses/rules/address-text.ts';
import { noAddress, newBankRow, newLocationRow, newUnitRow } from '../src/features/places/rules/new-place-rows.ts';
import {
  retentionSettingName,
  surveillanceRetentionSettingName,
} from '../src/features/residents/queries/retention-setting.ts';
import { residentFieldNames } from '../src/features/residents/fields.ts';
import { insertResidents, type NewResidentRow } from '../src/features/residents/queries/insert-residents.ts';
import { insertManagers, type InsertManagerInput } from '../src/features/managers/queries/insert-managers.ts';
import { managerRightsLock } from '../src/features/managers/queries/rights-lock.ts';
import { bankTypes, discountCurrency } from '../src/features/places/rules/bank-types.ts';
import { testCluster, unitTypeCode } from '../src/features/places/rules/unit-types.ts';
import type { Tenant } from '../src/tenants.ts';
import { zipOf } from './places/addresses.ts';
import { placeAddress } from './places/coordinates.ts';
import type { DemoBank, DemoLocation, DemoUnit } from './places/places.ts';
import type { DemoResident } from './residents.ts';

/** A bank and its residents. */
export type BankWithResidents = { readonly bank: DemoBank; readonly residents: readonly DemoResident[] };

const tenantSettingRows: readonly Tables['tenant_settings'][] = [
  // Shorter than the time that the periods span, so the oldest periods show no identities.
  { name: retentionSettingName, value: '400' },
  // Even shorter: residents' receipts reach back three months.
  { name: surveillanceRetentionSettingName, value: '90' },
];

export async function writeMasterData(
  db: LockableDb,
  tenant: Tenant,
  communities: readonly BankWithResidents[],
  managers: readonly InsertManagerInput[],
): Promise<void> {
  await insertRows(db, 'tenant_settings', tenantSettingRows);
  for (const { bank, residents } of communities) {
    const { bankId, locations } = bank;
    const locationRows = locations.map((location) => locationRow(bankId, location, tenant));
    const unitRows = locations.flatMap((location) =>
      location.units.map((unit) => unitRow(bankId, location, unit, tenant)),
    );
    const residentRows = residents.map((resident) => residentRow(bank, resident, tenant));
    await insertRows(db, 'banks', [bankRow(bank, tenant)]);
    await insertRows(db, 'locations', locationRows);
    await insertRows(db, 'units', unitRows);
    await insertResidents(db, bankId, residentRows);
    await writeKeysAndCodes(db, bankId, residents);
  }
  await takeLocks(db, [managerRightsLock()]);
  await insertManagers(db, managers);
}

const officeOf = ({ name }: DemoBank): string => `${name.split(' ').at(-1)} Square 1`;

function addressOfLocation(bankId: number, { locationId, street }: DemoLocation, tenant: Tenant): AddressText {
  return street === null ? { address: '', zip: '' } : { address: street, zip: zipOf(tenant, bankId + locationId) };
}

/** A unit and a resident with an address that differs from their location's. */
const hasOwnAddress = (id: number): boolean => id % 5 === 1;

function addressOfResident(bank: DemoBank, resident: DemoResident, tenant: Tenant): AddressColumns {
  const location = bank.locations.find(({ locationId }) => locationId === resident.locationId);
  if (location === undefined || !hasOwnAddress(resident.residentId)) return noAddress;
  return placeAddress(tenant, addressOfLocation(bank.bankId, location, tenant), resident.residentId);
}

const bankRow = (bank: DemoBank, tenant: Tenant): Tables['banks'] =>
  newBankRow({
    ...placeAddress(tenant, { address: officeOf(bank), zip: zipOf(tenant, bank.bankId) }, bank.bankId),
    bank_id: bank.bankId,
    name: bank.name,
    bank_type: bankTypes[bank.type],
    icon: bank.icon,
    currency: tenant.currency,
    vat_basis_points: bank.vatBasisPoints,
    discount_basis_points: tenant.currency === discountCurrency ? bank.discountBasisPoints : null,
    enabled: bank.enabled ? 1 : 0,
  });

const locationRow = (bankId: number, location: DemoLocation, tenant: Tenant): Tables['locations'] =>
  newLocationRow({
    bank_id: bankId,
    location_id: location.locationId,
    name: location.name,
    icon: location.icon,
    ...placeAddress(tenant, addressOfLocation(bankId, location, tenant), bankId + location.locationId),
    time_zone: tenant.timeZone,
    enabled: location.enabled ? 1 : 0,
    deleted_at: location.deletedAt,
  });

const unitRow = (bankId: number, location: DemoLocation, unit: DemoUnit, tenant: Tenant): Tables['units'] =>
  newUnitRow({
    ...(hasOwnAddress(unit.unitId)
      ? placeAddress(tenant, addressOfLocation(bankId, location, tenant), unit.locationId + unit.unitId)
      : noAddress),
    bank_id: bankId,
    location_id: unit.locationId,
    unit_id: unit.unitId,
    name: unit.name,
    unit_type: unit.packed ? 0 : unitTypeCode(unit.type),
    packed_type: unit.packed ? packedType(unit) : null,
    enabled: unit.enabled ? 1 : 0,
    deleted_at: unit.deletedAt,
    last_contact_at: unit.lastContactAt,
    computer_name: unit.gateway,
    cluster: isUnderTest(bankId, unit) ? testCluster : null,
  });

/** One unit, which would be offline after its long silence. */
const isUnderTest = (bankId: number, { locationId, unitId }: DemoUnit): boolean =>
  bankId === 1002 && locationId === 1 && unitId === 3;

/** Bits 1 to 8 are the type; the other bits mean something else. */
const packedType = ({ type, unitId }: DemoUnit): number => (unitId << 9) | (unitTypeCode(type) << 1) | 1;

const residentRow = (bank: DemoBank, resident: DemoResident, tenant: Tenant): NewResidentRow => ({
  ...addressOfResident(bank, resident, tenant),
  ...recordOf(residentFieldNames, (field) => resident[field]),
  bank_id: bank.bankId,
  resident_id: resident.residentId,
  location_id: resident.locationId,
  phone_number: resident.phone.replaceAll(' ', ''),
  enabled: resident.enabled ? 1 : 0,
  deleted_at: resident.deletedAt,
  expired_at: resident.expiredAt,
});

/** Most residents have a tag; some have a code that they have used, or not yet. */
async function writeKeysAndCodes(db: WriteDb, bankId: number, residents: readonly DemoResident[]): Promise<void> {
  const keyed = residents.filter(({ residentId, deletedAt }) => deletedAt === null && residentId % 4 !== 0);
  const keyRows = keyed.map(({ residentId, addedAt }) => createKeyRow(bankId, residentId, addedAt));
  const invited = residents.filter(({ residentId, deletedAt }) => deletedAt === null && residentId % 5 === 1);
  await insertRows(db, 'resident_keys', keyRows);
  const wordRows = keyRows.map(({ bank_id, resident_id, key_number }) => ({
    bank_id,
    word: key_number.toLowerCase(),
    resident_id,
  }));
  await insertRows(db, 'resident_words', wordRows);
  await insertRows(
    db,
    'resident_activations',
    invited.map(({ residentId, addedAt }) => createActivationRow(bankId, residentId, addedAt)),
  );
}

const createKeyRow = (bankId: number, residentId: number, addedAt: number): Tables['resident_keys'] => {
  const number = `DE${bankId}A${residentId}`;
  return {
    bank_id: bankId,
    resident_id: residentId,
    key_number: number,
    kind: 'Tag',
    added_at: addedAt,
    held_number: number,
  };
};

/** The codes contain `DEMO`, so nobody takes them for real ones. */
const createActivationRow = (bankId: number, residentId: number, addedAt: number): Tables['resident_activations'] => ({
  bank_id: bankId,
  resident_id: residentId,
  code: `DEMO-${bankId}-${residentId}-CODE`,
  created_at: addedAt,
  used_at: residentId % 10 === 6 ? addedAt + 3_600_000 : null,
});
