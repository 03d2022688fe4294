// Locations of a bank, in an import. An icon or time zone that is not known is the default one, as everywhere else.

import type { WriteDb } from '../../../database/db.ts';
import { insertRows } from '../../../database/statements/insert-rows.ts';
import type { Tables } from '../../../database/tables.ts';
import { formatLocationKid } from '../../../lib/kid.ts';
import { requireLocationOf, showsAddresses } from '../../../permissions/coverage.ts';
import { anyTab, type Permission } from '../../../permissions/matrix.ts';
import { ledgerLock } from '../../account/queries/ledger-head.ts';
import { placesLock } from '../../addresses/queries/addresses.ts';
import { outboxLock } from '../../device-sync/queries/outbox.ts';
import { resolveLocationTimeZone } from '../../places/rules/location-time-zone.ts';
import { noAddress, newLocationRow } from '../../places/rules/new-place-rows.ts';
import { updateAddressOf, type PlaceSteps } from '../places/change-places.ts';
import { definePlaceKind } from '../places/define-place-kind.ts';
import { toFoundRow } from '../places/place-rows.ts';
import { listLocations, readLastLocationId, type LocationRow } from '../places/queries/list-places.ts';
import { updateLocation } from '../places/queries/write-places.ts';
import {
  addressFieldNames,
  addressFields,
  listAddressErrors,
  listImpliedCoordinates,
  toAddressState,
} from '../places/rules/address-fields.ts';
import {
  enabledField,
  iconField,
  nameField,
  parseZoneName,
  toPlaceColumns,
  type PlaceFieldTable,
} from '../places/rules/place-fields.ts';
import { bankKidOf, parseKidOfBank } from '../rules/bank-kids.ts';
import { fieldError, listDefaults, writeValues } from '../rules/parse-fields.ts';
import type { FoundRow, ImportTarget, KeyedRow, RowValues } from '../import-kind.ts';

const readPermissions: readonly Permission[] = ['Bank.Read', 'Location.Read'];

const locationFields: PlaceFieldTable<LocationRow, Tables['locations']> = {
  name: { ...nameField, example: 'Example Lane 1' },
  timeZone: {
    description: 'IANA name, or a Windows name, which becomes one. Empty: that of the tenant.',
    example: 'Europe/Copenhagen',
    parse: parseZoneName,
    write: ({ time_zone }, { tenant }) => resolveLocationTimeZone(time_zone, tenant),
    store: (text) => ({ time_zone: text }),
  },
  icon: { description: 'Name of an icon. Empty: a house with the number.', example: 'laundry_room', ...iconField },
  enabled: enabledField,
  ...addressFields,
};

export const locationsKind = definePlaceKind<LocationRow>({
  name: 'locations',
  belongsTo: 'bank',
  access: { tabs: anyTab, permissions: [...readPermissions, 'Location.Write', 'Location.Create'], grantLevel: 'bank' },
  readAccess: { tabs: anyTab, permissions: readPermissions, grantLevel: 'bank' },
  fields: locationFields,
  columnsOfEnabled: addressFieldNames,
  findCurrent: async (db, target, rows) => {
    const ids = rows.flatMap(({ objectKid }) => locationIdOf(target, objectKid) ?? []);
    const stored = new Map((await listLocations(db, target.bank, ids)).map((row) => [row.location_id, row]));
    return (row) => {
      const location = stored.get(locationIdOf(target, row.objectKid) ?? 0);
      return location === undefined
        ? { ...toFoundRow(locationFields, row, undefined), errors: listAddressErrors(row.values) }
        : toKnownRow(row, location, target);
    };
  },
  // Nobody books there, charges it or sends anything to it meanwhile.
  locks: ({ bank }) => [outboxLock(bank), ledgerLock(bank, { reservedCount: 0, now: undefined }), placesLock(bank)],
  list: (db, { bank }) => listLocations(db, bank),
  kidOf: (target, { location_id }) => locationKidOf(target, location_id),
  toShownValues,
  createSteps,
});

/** The address of a disabled location is shown to nobody whose grants are narrower than the tenant, and so not written. */
function toKnownRow(row: KeyedRow, location: LocationRow, target: ImportTarget): FoundRow {
  const found = toFoundRow(locationFields, row, writeValues(locationFields, location, target));
  const values = toShownValues(location, target);
  const current = found.current === null ? null : { ...found.current, values };
  if (!showsAddress(location, target))
    return { ...found, current, errors: addressFieldNames.some((field) => row.values[field]) ? [addressNotShown] : [] };
  const errors = listAddressErrors(row.values, values);
  return { ...found, current, errors, implied: listImpliedCoordinates(location, row.values) };
}

const showsAddress = (location: LocationRow, { showsDisabled }: ImportTarget): boolean =>
  showsAddresses({ tenantWide: showsDisabled }, location);

const addressNotShown = fieldError(
  'address',
  'too-narrow',
  'of a disabled location can be changed only with a grant of the whole tenant',
);

function toShownValues(location: LocationRow, target: ImportTarget): RowValues {
  const isShown = showsAddress(location, target);
  return writeValues(locationFields, isShown ? location : { ...location, ...noAddress }, target);
}

export const locationKidOf = (target: ImportTarget, locationId: number): string =>
  formatLocationKid(bankKidOf(target), locationId);

/** Undefined for a KID that is not one of a location of the bank. */
export const locationIdOf = (target: ImportTarget, kid: string | null | undefined): number | undefined =>
  parseKidOfBank(target, kid, 'location')?.locationId;

function createSteps(db: WriteDb, target: ImportTarget, now: number): PlaceSteps {
  const { bank } = target;
  const { bankId } = bank;
  const idsOf = (kid: string) => ({ bankId, locationId: locationIdOf(target, kid) ?? 0 });
  return {
    level: 'location',
    auditedBankId: bankId,
    idsOf,
    create: async (rows) => {
      // Ids of deleted locations are not given again.
      const last = rows.length === 0 ? 0 : await readLastLocationId(db, bank);
      const created = rows.map((row, index) => {
        const values: RowValues = { ...listDefaults(locationFields, target), ...row.values };
        return { row, values, locationId: last + 1 + index };
      });
      const inserted = created.map(({ values, locationId }) =>
        newLocationRow({
          name: '',
          time_zone: '',
          ...toPlaceColumns(locationFields, values),
          ...toAddressState(noAddress, values),
          bank_id: bankId,
          location_id: locationId,
        }),
      );
      await insertRows(db, 'locations', inserted);
      return new Map(
        created.map(({ row, values, locationId }) => [row, { objectKid: locationKidOf(target, locationId), values }]),
      );
    },
    change: async (kid, values) => {
      const columns = toPlaceColumns(locationFields, values);
      if (Object.keys(columns).length > 0) await updateLocation(db, idsOf(kid), columns);
      const granted = requireLocationOf(bank, idsOf(kid).locationId);
      await updateAddressOf(db, { key: { type: 'location', granted }, bank }, values, now);
    },
    remove: (kid) => updateLocation(db, idsOf(kid), { deleted_at: now }),
  };
}
