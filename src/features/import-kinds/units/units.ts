// Units of a bank's locations, in an import. Their settings have the defaults of the catalogue until they are written.

import type { WriteDb } from '../../../database/db.ts';
import { insertRows } from '../../../database/statements/insert-rows.ts';
import type { Tables } from '../../../database/tables.ts';
import { formatUnitKid } from '../../../lib/kid.ts';
import { anyTab, type Permission } from '../../../permissions/matrix.ts';
import type { UnitKey } from '../../../permissions/coverage.ts';
import { ledgerLock } from '../../account/queries/ledger-head.ts';
import { placesLock } from '../../addresses/queries/addresses.ts';
import { outboxLock } from '../../device-sync/queries/outbox.ts';
import { newUnitRow } from '../../places/rules/new-place-rows.ts';
import { typeCodeOf, unitTypeCode, unitTypeOf, unitTypes, type UnitType } from '../../places/rules/unit-types.ts';
import type { NewPlace, PlaceSteps } from '../places/change-places.ts';
import { definePlaceKind } from '../places/define-place-kind.ts';
import { toFoundRow } from '../places/place-rows.ts';
import { listLocations, listUnits, readLastUnitIds, type UnitRow } from '../places/queries/list-places.ts';
import { updateUnit } from '../places/queries/write-places.ts';
import {
  enabledField,
  nameField,
  parseUnitType,
  toPlaceColumns,
  type PlaceFieldTable,
} from '../places/rules/place-fields.ts';
import { parseKidOfBank } from '../rules/bank-kids.ts';
import { fieldError, listDefaults, writeValues } from '../rules/parse-fields.ts';
import type { ApplicableRow, ImportTarget, RowValues } from '../import-kind.ts';
import { locationIdOf, locationKidOf } from '../locations/locations.ts';

const readPermissions: readonly Permission[] = ['Bank.Read', 'Location.Read', 'Unit.Read'];

const unitFields: PlaceFieldTable<UnitRow, Tables['units']> = {
  location: {
    description: 'The location of the unit, which it keeps.',
    example: '1',
    isRequired: true,
    isFixed: true,
    references: 'locations',
    write: ({ location_id }, target) => locationKidOf(target, location_id),
  },
  name: {
    ...nameField,
    description: 'Up to 200 characters. The name of a type in braces is shown in the language of whoever reads it.',
    example: '{washer} 1',
  },
  type: {
    description: `One of ${unitTypes.join(', ')}.`,
    example: 'washer',
    isRequired: true,
    parse: parseUnitType,
    write: (row) => unitTypeOf(typeCodeOf(row) ?? 0) ?? '',
    store: (type) => ({ unit_type: unitTypeCode(type as UnitType) }),
  },
  enabled: enabledField,
};

export const unitsKind = definePlaceKind<UnitRow>({
  name: 'units',
  belongsTo: 'bank',
  access: { tabs: anyTab, permissions: [...readPermissions, 'Unit.Write', 'Unit.Create'], grantLevel: 'bank' },
  readAccess: { tabs: anyTab, permissions: readPermissions, grantLevel: 'bank' },
  fields: unitFields,
  findCurrent: async (db, target, rows) => {
    const ofUnits = rows.flatMap(({ objectKid }) => unitKeyOf(target, objectKid)?.locationId ?? []);
    const named = rows.flatMap(({ values }) => locationIdOf(target, values['location']) ?? []);
    const units = await listUnits(db, target.bank, [...new Set(ofUnits)]);
    const locations = await listLocations(db, target.bank, [...new Set(named)]);
    const stored = new Map(units.map((row) => [unitKidOfRow(target, row), row]));
    const locationKids = new Set(locations.map(({ location_id }) => locationKidOf(target, location_id)));
    return (row) => {
      const unit = row.objectKid === null ? undefined : stored.get(row.objectKid);
      const found = toFoundRow(unitFields, row, unit && writeValues(unitFields, unit, target));
      const location = row.values['location'] ?? '';
      const isKnown = found.current !== null || location === '' || locationKids.has(location);
      return isKnown ? found : { ...found, errors: [...found.errors, unknownLocation] };
    };
  },
  // Nobody books a unit, charges it or sends anything to it meanwhile.
  locks: ({ bank }) => [outboxLock(bank), ledgerLock(bank, { reservedCount: 0, now: undefined }), placesLock(bank)],
  list: (db, { bank }) => listUnits(db, bank),
  kidOf: unitKidOfRow,
  createSteps: (db, target, now) => {
    const { bankId } = target.bank;
    const idsOf = (kid: string): UnitKey => unitKeyOf(target, kid) ?? { bankId, locationId: 0, unitId: 0 };
    return {
      level: 'unit',
      auditedBankId: bankId,
      idsOf,
      create: (rows) => createUnits(db, target, rows),
      change: (kid, values) => updateUnit(db, idsOf(kid), toPlaceColumns(unitFields, values)),
      remove: (kid) => updateUnit(db, idsOf(kid), { deleted_at: now }),
    } satisfies PlaceSteps;
  },
});

const unknownLocation = fieldError('location', 'unknown-reference', 'there is no such location in the bank');

export function unitKidOfRow(
  target: ImportTarget,
  { location_id, unit_id }: Pick<UnitRow, 'location_id' | 'unit_id'>,
): string {
  return formatUnitKid(locationKidOf(target, location_id), unit_id);
}

/** Undefined for a KID that is not one of a unit of the bank. */
export const unitKeyOf = (target: ImportTarget, kid: string | null): UnitKey | undefined =>
  parseKidOfBank(target, kid, 'unit');

/** Ids of deleted units are not given again. */
async function createUnits(
  db: WriteDb,
  target: ImportTarget,
  rows: readonly ApplicableRow[],
): Promise<ReadonlyMap<ApplicableRow, NewPlace>> {
  const locationIdOfRow = ({ values }: ApplicableRow): number => locationIdOf(target, values['location']) ?? 0;
  const lastIds = new Map(await readLastUnitIds(db, target.bank, [...new Set(rows.map(locationIdOfRow))]));
  const created = rows.map((row) => {
    const locationId = locationIdOfRow(row);
    const unitId = (lastIds.get(locationId) ?? 0) + 1;
    lastIds.set(locationId, unitId);
    const values: RowValues = { ...listDefaults(unitFields, target), ...row.values };
    const ids = { bank_id: target.bank.bankId, location_id: locationId, unit_id: unitId };
    const stored = newUnitRow({
      name: '',
      unit_type: unitTypeCode(values['type'] as UnitType),
      ...toPlaceColumns(unitFields, values),
      ...ids,
    });
    return { row, values, stored };
  });
  await insertRows(
    db,
    'units',
    created.map(({ stored }) => stored),
  );
  return new Map(created.map(({ row, values, stored }) => [row, { objectKid: unitKidOfRow(target, stored), values }]));
}
