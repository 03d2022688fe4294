// Writes what stands before any posting: the tenant's settings, its places, residents and managers.

import type { WriteDb } from '../database/db.ts';
import { insertRows } from '../database/insert-rows.ts';
import type { Tables } from '../database/tables.ts';
import { retentionSettingName } from '../features/residents/queries/retention-setting.ts';
import { insertManager, type InsertManagerInput } from '../features/credentials/queries/managers.ts';
import { bankTypes } from '../features/places/rules/bank-types.ts';
import { unitTypeCode } from '../features/places/rules/unit-types.ts';
import type { Tenant } from '../tenants.ts';
import { zipOf } from './places/addresses.ts';
import type { DemoBank, DemoLocation, DemoUnit } from './places/places.ts';
import type { DemoResident } from './residents.ts';

/** A bank and those who live there. */
export type BankWithResidents = { readonly bank: DemoBank; readonly residents: readonly DemoResident[] };

const tenantSettingRows: readonly Tables['tenant_settings'][] = [
  // Shorter than the periods reach back, so that the oldest of them show no identities.
  { name: retentionSettingName, value: '400' },
  { name: 'surveillanceRetentionDays', value: '90' },
];

export async function writeMasterData(
  db: WriteDb,
  tenant: Tenant,
  communities: readonly BankWithResidents[],
  managers: readonly InsertManagerInput[],
): Promise<void> {
  await insertRows(db, 'tenant_settings', tenantSettingRows);
  for (const { bank, residents } of communities) {
    const { bankId, locations } = bank;
    const locationRows = locations.map((location) => locationRow(bankId, location, tenant));
    const unitRows = locations.flatMap(({ units }) => units.map((unit) => unitRow(bankId, unit)));
    const residentRows = residents.map((resident) => residentRow(bankId, resident));
    await insertRows(db, 'banks', [bankRow(bank, tenant)]);
    await insertRows(db, 'locations', locationRows);
    await insertRows(db, 'units', unitRows);
    await insertRows(db, 'residents', residentRows);
  }
  for (const manager of managers) await insertManager(db, manager);
}

const bankRow = (bank: DemoBank, { currency }: Tenant): Tables['banks'] => ({
  bank_id: bank.bankId,
  name: bank.name,
  bank_type: bankTypes[bank.type],
  icon: bank.icon,
  currency,
  vat_basis_points: bank.vatBasisPoints,
  discount_basis_points: currency === 'DKK' ? bank.discountBasisPoints : null,
  enabled: bank.enabled ? 1 : 0,
  deleted_at: null,
  places_version: 1,
});

const locationRow = (bankId: number, location: DemoLocation, tenant: Tenant): Tables['locations'] => ({
  bank_id: bankId,
  location_id: location.locationId,
  name: location.name,
  icon: location.icon,
  address: location.street ?? '',
  zip: location.street === null ? '' : zipOf(tenant, bankId + location.locationId),
  time_zone: tenant.timeZone,
  enabled: location.enabled ? 1 : 0,
  deleted_at: location.deletedAt,
});

const unitRow = (bankId: number, unit: DemoUnit): Tables['units'] => ({
  bank_id: bankId,
  location_id: unit.locationId,
  unit_id: unit.unitId,
  name: unit.name,
  unit_type: unit.packed ? 0 : unitTypeCode(unit.type),
  packed_type: unit.packed ? packedType(unit) : null,
  enabled: unit.enabled ? 1 : 0,
  deleted_at: unit.deletedAt,
  last_contact_at: unit.lastContactAt,
  version: 1,
});

/** Bits 1 to 8 are the type; what is around them means something else. */
const packedType = ({ type, unitId }: DemoUnit): number => (unitId << 9) | (unitTypeCode(type) << 1) | 1;

const residentRow = (bankId: number, resident: DemoResident): Tables['residents'] => ({
  bank_id: bankId,
  resident_id: resident.residentId,
  location_id: resident.locationId,
  name: resident.name,
  apartment: resident.apartment,
  email: resident.email,
  phone: resident.phone,
  language: resident.language,
  enabled: resident.enabled ? 1 : 0,
  deleted_at: resident.deletedAt,
  expired_at: resident.expiredAt,
  revision: 1,
});
