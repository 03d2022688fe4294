// Locations of a bank, in an import. An icon or time zone that is not known is the default one, as everywhere else.

import { insertRows } from '../../../database/statements/insert-rows.ts';
import type { Tables } from '../../../database/tables.ts';
import { requireLocationOf, showsAddresses, type LocationKey } from '../../../permissions/coverage.ts';
import { anyTab, type Permission } from '../../../permissions/matrix.ts';
import { ledgerLock } from '../../account/queries/ledger-head.ts';
import { placesLock } from '../../addresses/queries/addresses.ts';
import { outboxLock } from '../../outbox/queries/outbox.ts';
import { resolveLocationTimeZone } from '../../places/rules/location-time-zone.ts';
import { noAddress, newLocationRow } from '../../places/rules/new-place-rows.ts';
import { definePlaceKind } from '../places/define-place-kind.ts';
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
import { locationIdOf, locationKidOf } from '../rules/bank-kids.ts';
import { fieldError, writeValues } from '../rules/parse-fields.ts';
import type { ImportTarget } from '../import-kind.ts';

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

export const locationsKind = definePlaceKind<LocationRow, Tables['locations']>({
  name: 'locations',
  belongsTo: 'bank',
  level: 'location',
  access: { tabs: anyTab, permissions: [...readPermissions, 'Location.Write', 'Location.Create'], grantLevel: 'bank' },
  readAccess: { tabs: anyTab, permissions: readPermissions, grantLevel: 'bank' },
  fields: locationFields,
  columnsOfEnabled: addressFieldNames,
  // Nobody books there, charges it or sends anything to it meanwhile.
  locks: ({ bank }) => [outboxLock(bank), ledgerLock(bank, { reservedCount: 0, now: undefined }), placesLock(bank)],
  list: (db, target, kids) =>
    listLocations(
      db,
      target.bank,
      kids?.flatMap((kid) => locationIdOf(target, kid) ?? []),
    ),
  kidOf: (target, { location_id }) => locationKidOf(target, location_id),
  idsOf,
  // The address of a disabled location is shown to nobody whose grants are narrower than the tenant, and so not written.
  toShown: (location, target) => (showsAddress(location, target) ? location : { ...location, ...noAddress }),
  createCheck: async (_db, target) => (row, location) => {
    if (location === undefined) return { errors: listAddressErrors(row.values) };
    if (!showsAddress(location, target))
      return { errors: addressFieldNames.some((field) => row.values[field]) ? [addressNotShown] : [] };
    return {
      errors: listAddressErrors(row.values, writeValues(addressFields, location, target)),
      implied: listImpliedCoordinates(location, row.values),
    };
  },
  create: async (db, target, locations) => {
    const { bank } = target;
    // Ids of deleted locations are not given again.
    const firstId = (await readLastLocationId(db, bank)) + 1;
    const rows = locations.map((values, index) =>
      newLocationRow({
        name: '',
        time_zone: '',
        ...toPlaceColumns(locationFields, values),
        ...toAddressState(noAddress, values),
        bank_id: bank.bankId,
        location_id: firstId + index,
      }),
    );
    await insertRows(db, 'locations', rows);
    return locations.map((values, index) => ({ objectKid: locationKidOf(target, firstId + index), values }));
  },
  update: (db, target, kid, columns) => updateLocation(db, idsOf(target, kid), columns),
  addressOf: (target, kid) => ({
    type: 'location',
    granted: requireLocationOf(target.bank, idsOf(target, kid).locationId),
  }),
});

function idsOf(target: ImportTarget, kid: string): LocationKey {
  return { bankId: target.bank.bankId, locationId: locationIdOf(target, kid) ?? 0 };
}

const showsAddress = (location: LocationRow, { showsDisabled }: ImportTarget): boolean =>
  showsAddresses({ tenantWide: showsDisabled }, location);

const addressNotShown = fieldError(
  'address',
  'too-narrow',
  'of a disabled location can be changed only with a grant of the whole tenant',
);
