// Units of a bank's locations, in an import. Their settings have the defaults of the catalogue until they are written.

import type { WriteDb } from '../../../database/db.ts';
import { insertRows } from '../../../database/statements/insert-rows.ts';
import type { Tables } from '../../../database/tables.ts';
import { formatUnitKid, parseKid } from '../../../lib/kid.ts';
import { anyTab, type Permission } from '../../../permissions/matrix.ts';
import type { UnitKey } from '../../../permissions/coverage.ts';
import { ledgerLock } from '../../account/queries/ledger-head.ts';
import { placesLock } from '../../addresses/queries/addresses.ts';
import { outboxLock } from '../../device-sync/queries/outbox.ts';
import { newUnitRow } from '../../places/rules/new-place-rows.ts';
import { typeCodeOf, unitTypeCode, unitTypeOf, unitTypes, type UnitType } from '../../places/rules/unit-types.ts';
import { findDependents, placeKeyOf } from '../places/queries/find-dependents.ts';
import { listLocations, listUnits, readLastUnitIds, type UnitRow } from '../places/queries/list-places.ts';
import { updateUnit } from '../places/queries/write-places.ts';
import { defaultValues, fieldError, isRequiredField, parseFields, type FieldParsers } from '../rules/parse-fields.ts';
import { parseEnabled, parsePlaceName, parseUnitType } from '../places/rules/place-fields.ts';
import { applyPlaces, undoPlaces, type PlaceWriter } from '../places/change-places.ts';
import type { ApplicableRow, ImportColumn, ImportKind, ImportTarget, RowValues } from '../import-kind.ts';
import { locationIdOf, locationKidOf } from '../locations/locations.ts';
import { indexByName, toBatches, toFoundRow } from '../places/place-rows.ts';

const readPermissions: readonly Permission[] = ['Bank.Read', 'Location.Read', 'Unit.Read'];

const columns: readonly ImportColumn[] = [
  {
    field: 'location',
    description: 'The location of the unit, which it keeps.',
    example: '1',
    isRequired: true,
    references: 'locations',
  },
  {
    field: 'name',
    description: 'Up to 200 characters. The name of a type in braces is shown in the language of whoever reads it.',
    example: '{washer} 1',
    isRequired: true,
  },
  { field: 'type', description: `One of ${unitTypes.join(', ')}.`, example: 'washer', isRequired: true },
  { field: 'enabled', description: '`true` or `false`. Empty: true.', example: 'true' },
];

const parsers: FieldParsers = {
  location: isRequiredField,
  name: parsePlaceName,
  type: parseUnitType,
  enabled: parseEnabled,
};

export const unitsKind: ImportKind = {
  name: 'units',
  belongsTo: 'bank',
  access: { tabs: anyTab, permissions: [...readPermissions, 'Unit.Write', 'Unit.Create'], grantLevel: 'bank' },
  readAccess: { tabs: anyTab, permissions: readPermissions, grantLevel: 'bank' },
  columns,
  parseRow: (values, target) => parseFields(values, parsers, target),
  findCurrent: async (db, target, rows) => {
    const ofUnits = rows.flatMap(({ objectKid }) => unitKeyOf(target, objectKid)?.locationId ?? []);
    const named = rows.flatMap(({ values }) => locationIdOf(target, values['location'] ?? null) ?? []);
    const units = await listUnits(db, target.bank, [...new Set(ofUnits)]);
    const locations = await listLocations(db, target.bank, [...new Set(named)]);
    const stored = new Map(units.map((row) => [unitKidOfRow(target, row), row]));
    const locationKids = new Set(locations.map(({ location_id }) => locationKidOf(target, location_id)));
    return rows.map((row) => {
      const unit = row.objectKid === null ? undefined : stored.get(row.objectKid);
      const found = toFoundRow(row, unit && toValues(target, unit), ['location']);
      const location = row.values['location'] ?? '';
      return found.current !== null || location === '' || locationKids.has(location)
        ? found
        : { ...found, errors: [...found.errors, unknownLocation] };
    });
  },
  findByNames: async (db, target, names) => {
    const rows = await listUnits(db, target.bank);
    return indexByName(
      names,
      rows.map((row) => ({ name: row.name, kid: unitKidOfRow(target, row) })),
    );
  },
  // Nobody books a unit, charges it or sends anything to it meanwhile.
  locks: ({ bank }) => [outboxLock(bank), ledgerLock(bank, { reservedCount: 0, now: undefined }), placesLock(bank)],
  apply: (db, actor, target, rows) => applyPlaces(db, actor, rows, createWriter(db, target, actor.now)),
  undo: (db, actor, target, rows) => undoPlaces(db, actor, rows, createWriter(db, target, actor.now)),
  exportRows: async function* (db, target) {
    const rows = await listUnits(db, target.bank);
    yield* toBatches(rows.map((row) => ({ objectKid: unitKidOfRow(target, row), values: toValues(target, row) })));
  },
};

const unknownLocation = fieldError('location', 'unknown-reference', 'there is no such location in the bank');

export const unitKidOfRow = (
  target: ImportTarget,
  { location_id, unit_id }: Pick<UnitRow, 'location_id' | 'unit_id'>,
): string => formatUnitKid(locationKidOf(target, location_id), unit_id);

/** Undefined for a KID that is not one of a unit of the bank. */
export function unitKeyOf({ bank }: ImportTarget, kid: string | null): UnitKey | undefined {
  const parsed = kid === null ? undefined : parseKid(kid, bank.tenant, ['unit']);
  return parsed?.bankId === bank.bankId ? parsed : undefined;
}

const toValues = (target: ImportTarget, row: UnitRow): RowValues => ({
  location: locationKidOf(target, row.location_id),
  name: row.name,
  type: unitTypeOf(typeCodeOf(row) ?? 0) ?? '',
  enabled: String(row.enabled === 1),
});

/** The columns of those fields that there are and that can change. */
const toColumns = ({ name, type, enabled }: RowValues): Partial<Tables['units']> => ({
  ...(name === undefined ? {} : { name }),
  ...(type === undefined ? {} : { unit_type: unitTypeCode(type as UnitType) }),
  ...(enabled === undefined ? {} : { enabled: enabled === 'true' ? 1 : 0 }),
});

function createWriter(db: WriteDb, target: ImportTarget, now: number): PlaceWriter {
  const { bankId } = target.bank;
  const keyOf = (kid: string): UnitKey => unitKeyOf(target, kid) ?? { bankId, locationId: 0, unitId: 0 };
  const completeValues = ({ values }: ApplicableRow): RowValues => ({ ...defaultValues(parsers, target), ...values });
  return {
    what: 'unit',
    auditedBankId: bankId,
    completeValues,
    insert: (rows) => insertUnits(db, target, rows, completeValues),
    update: (kid, values) => updateUnit(db, keyOf(kid), toColumns(values)),
    remove: (kid) => updateUnit(db, keyOf(kid), { deleted_at: now }),
    findDependents: async (kids) => {
      const keys = kids.map(keyOf);
      const found = await findDependents(db, 'unit', keys);
      const locationIds = [...new Set(keys.map(({ locationId }) => locationId))];
      const connected = (await listUnits(db, target.bank, locationIds)).filter((row) => row.computer_name !== null);
      const withComputer = new Set(connected.map((row) => unitKidOfRow(target, row)));
      const dependentsOf = (kid: string): string[] => [
        ...(withComputer.has(kid) ? ['a computer'] : []),
        ...(found.get(placeKeyOf(keyOf(kid))) ?? []),
      ];
      return new Map(kids.map((kid) => [kid, dependentsOf(kid)] as const).filter(([, all]) => all.length > 0));
    },
  };
}

/** Ids of deleted units are not given again. */
async function insertUnits(
  db: WriteDb,
  target: ImportTarget,
  rows: readonly ApplicableRow[],
  completeValues: (row: ApplicableRow) => RowValues,
): Promise<ReadonlyMap<number, string>> {
  const locationIds = rows.map(({ values }) => locationIdOf(target, values['location'] ?? null) ?? 0);
  const lastIds = new Map(await readLastUnitIds(db, target.bank, [...new Set(locationIds)]));
  const inserted = rows.map((row, at) => {
    const locationId = locationIds[at] ?? 0;
    const unitId = (lastIds.get(locationId) ?? 0) + 1;
    lastIds.set(locationId, unitId);
    const { name = '', type = '', ...others } = completeValues(row);
    const known = { bank_id: target.bank.bankId, location_id: locationId, unit_id: unitId, name };
    return newUnitRow({ ...toColumns(others), ...known, unit_type: unitTypeCode(type as UnitType) });
  });
  await insertRows(db, 'units', inserted);
  return new Map(rows.map(({ position }, at) => [position, unitKidOfRow(target, inserted[at]!)]));
}
