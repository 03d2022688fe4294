// Locations of a bank, in an import. An icon or time zone that is not known is the default one, as everywhere else.

import type { WriteDb } from '../../../database/db.ts';
import { insertRows } from '../../../database/statements/insert-rows.ts';
import type { Tables } from '../../../database/tables.ts';
import { formatBankKid, formatLocationKid, parseKid } from '../../../lib/kid.ts';
import { requireLocationOf, showsAddresses } from '../../../permissions/coverage.ts';
import { anyTab, type Permission } from '../../../permissions/matrix.ts';
import { ledgerLock } from '../../account/queries/ledger-head.ts';
import { placesLock } from '../../addresses/queries/addresses.ts';
import { outboxLock } from '../../device-sync/queries/outbox.ts';
import { isIcon } from '../../icons/assets/icon-catalogue.ts';
import { resolveLocationTimeZone } from '../../places/rules/location-time-zone.ts';
import { noAddress } from '../../places/rules/no-address.ts';
import { newLocationRow } from '../../places/rules/new-place-rows.ts';
import { findDependents, placeKeyOf } from '../places/queries/find-dependents.ts';
import { listLocations, readLastLocationId, type LocationRow } from '../places/queries/list-places.ts';
import { updateLocation } from '../places/queries/write-places.ts';
import {
  addressColumns,
  addressFields,
  addressParsers,
  listAddressErrors,
  listImpliedCoordinates,
  toAddressState,
  toAddressValues,
} from '../places/rules/address-fields.ts';
import { defaultValues, fieldError, parseFields, type FieldParsers } from '../rules/parse-fields.ts';
import { parseEnabled, parseIcon, parsePlaceName, parseZoneName } from '../places/rules/place-fields.ts';
import { applyPlaces, undoPlaces, updateAddressOf, type PlaceWriter } from '../places/change-places.ts';
import type {
  ApplicableRow,
  FoundRow,
  ImportColumn,
  ImportKind,
  ImportTarget,
  KeyedRow,
  RowValues,
} from '../import-kind.ts';
import { indexByName, toBatches, toFoundRow } from '../places/place-rows.ts';

const readPermissions: readonly Permission[] = ['Bank.Read', 'Location.Read'];

const columns: readonly ImportColumn[] = [
  { field: 'name', description: 'Up to 200 characters.', example: 'Example Lane 1', isRequired: true },
  {
    field: 'timeZone',
    description: 'IANA name, or a Windows name, which becomes one. Empty: that of the tenant.',
    example: 'Europe/Copenhagen',
  },
  { field: 'icon', description: 'Name of an icon. Empty: a house with the number.', example: 'laundry_room' },
  { field: 'enabled', description: '`true` or `false`. Empty: true.', example: 'true' },
  ...addressColumns,
];

const parsers: FieldParsers = {
  name: parsePlaceName,
  timeZone: parseZoneName,
  icon: parseIcon,
  enabled: parseEnabled,
  ...addressParsers,
};

export const locationsKind: ImportKind = {
  name: 'locations',
  belongsTo: 'bank',
  access: { tabs: anyTab, permissions: [...readPermissions, 'Location.Write', 'Location.Create'], grantLevel: 'bank' },
  readAccess: { tabs: anyTab, permissions: readPermissions, grantLevel: 'bank' },
  columns,
  columnsOfEnabled: addressFields,
  parseRow: (values, target) => parseFields(values, parsers, target),
  findCurrent: async (db, target, rows) => {
    const ids = rows.flatMap(({ objectKid }) => locationIdOf(target, objectKid) ?? []);
    const stored = new Map((await listLocations(db, target.bank, ids)).map((row) => [row.location_id, row]));
    return rows.map((row) => {
      const location = stored.get(locationIdOf(target, row.objectKid) ?? 0);
      return location === undefined ? toNewRow(row) : toKnownRow(row, location, target);
    });
  },
  findByNames: async (db, target, names) => {
    const rows = await listLocations(db, target.bank);
    return indexByName(
      names,
      rows.map(({ name, location_id }) => ({ name, kid: locationKidOf(target, location_id) })),
    );
  },
  // Nobody books there, charges it or sends anything to it meanwhile.
  locks: ({ bank }) => [outboxLock(bank), ledgerLock(bank, { reservedCount: 0, now: undefined }), placesLock(bank)],
  apply: (db, actor, target, rows) => applyPlaces(db, actor, rows, createWriter(db, target, actor.now)),
  undo: (db, actor, target, rows) => undoPlaces(db, actor, rows, createWriter(db, target, actor.now)),
  exportRows: async function* (db, target) {
    const rows = await listLocations(db, target.bank);
    yield* toBatches(
      rows.map((row) => ({ objectKid: locationKidOf(target, row.location_id), values: toShownValues(row, target) })),
    );
  },
};

const toNewRow = (row: KeyedRow): FoundRow => ({
  ...toFoundRow(row, undefined, []),
  errors: listAddressErrors(row.values),
});

/** The address of a disabled location is shown to nobody whose grants are narrower than the tenant, and so not written. */
function toKnownRow(row: KeyedRow, location: LocationRow, target: ImportTarget): FoundRow {
  const found = toFoundRow(row, toValues(location, target), []);
  const values = toShownValues(location, target);
  const current = found.current === null ? null : { ...found.current, values };
  if (!showsAddress(location, target))
    return { ...found, current, errors: addressFields.some((field) => row.values[field]) ? [addressNotShown] : [] };
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

const toShownValues = (location: LocationRow, target: ImportTarget): RowValues => ({
  ...toValues(location, target),
  ...(showsAddress(location, target) ? {} : toAddressValues(noAddress)),
});

export const locationKidOf = ({ bank }: ImportTarget, locationId: number): string =>
  formatLocationKid(formatBankKid(bank.tenant, bank.bankId), locationId);

/** Undefined for a KID that is not one of a location of the bank. */
export function locationIdOf({ bank }: ImportTarget, kid: string | null): number | undefined {
  const parsed = kid === null ? undefined : parseKid(kid, bank.tenant, ['location']);
  return parsed?.bankId === bank.bankId ? parsed.locationId : undefined;
}

const toValues = (location: LocationRow, { tenant }: ImportTarget): RowValues => ({
  name: location.name,
  timeZone: resolveLocationTimeZone(location.time_zone, tenant),
  icon: location.icon !== null && isIcon(location.icon) ? location.icon : '',
  enabled: String(location.enabled === 1),
  ...toAddressValues(location),
});

/** The columns of those fields that there are. */
const toColumns = ({ name, timeZone, icon, enabled }: RowValues): Partial<Tables['locations']> => ({
  ...(name === undefined ? {} : { name }),
  ...(timeZone === undefined ? {} : { time_zone: timeZone }),
  ...(icon === undefined ? {} : { icon: icon === '' ? null : icon }),
  ...(enabled === undefined ? {} : { enabled: enabled === 'true' ? 1 : 0 }),
});

function createWriter(db: WriteDb, target: ImportTarget, now: number): PlaceWriter {
  const { bankId } = target.bank;
  const keyOf = (kid: string) => ({ bankId, locationId: locationIdOf(target, kid) ?? 0 });
  const completeValues = ({ values }: ApplicableRow): RowValues => ({ ...defaultValues(parsers, target), ...values });
  return {
    what: 'location',
    auditedBankId: bankId,
    completeValues,
    insert: async (rows) => {
      // Ids of deleted locations are not given again.
      const last = rows.length === 0 ? 0 : await readLastLocationId(db, target.bank);
      const inserted = rows.map((row, at) => {
        const { name = '', timeZone = '', ...others } = completeValues(row);
        const known = { bank_id: bankId, location_id: last + 1 + at, name, time_zone: timeZone };
        return newLocationRow({ ...toColumns(others), ...toAddressState(noAddress, others), ...known });
      });
      await insertRows(db, 'locations', inserted);
      return new Map(rows.map(({ position }, at) => [position, locationKidOf(target, last + 1 + at)]));
    },
    update: async (kid, values) => {
      const columnsOfRow = toColumns(values);
      if (Object.keys(columnsOfRow).length > 0) await updateLocation(db, keyOf(kid), columnsOfRow);
      const { bank } = target;
      const granted = requireLocationOf(bank, keyOf(kid).locationId);
      await updateAddressOf(db, { key: { type: 'location', granted }, bank }, values, now);
    },
    remove: (kid) => updateLocation(db, keyOf(kid), { deleted_at: now }),
    findDependents: async (kids) => {
      const found = await findDependents(db, 'location', kids.map(keyOf));
      return new Map(kids.flatMap((kid) => toEntry(kid, found.get(placeKeyOf(keyOf(kid))))));
    },
  };
}

const toEntry = (kid: string, dependents: readonly string[] | undefined): [string, readonly string[]][] =>
  dependents === undefined ? [] : [[kid, dependents]];
