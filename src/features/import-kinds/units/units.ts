// Units of a bank's locations, in an import. Their settings have the defaults of the catalogue until they are written.

import { insertRows } from '../../../database/statements/insert-rows.ts';
import type { Tables } from '../../../database/tables.ts';
import type { UnitKey } from '../../../permissions/coverage.ts';
import { anyTab, type Permission } from '../../../permissions/matrix.ts';
import { ledgerLock } from '../../account/queries/ledger-head.ts';
import { placesLock } from '../../addresses/queries/addresses.ts';
import { outboxLock } from '../../outbox/queries/outbox.ts';
import { newUnitRow } from '../../places/rules/new-place-rows.ts';
import { typeCodeOf, unitTypeCode, unitTypeOf, unitTypes, type UnitType } from '../../places/rules/unit-types.ts';
import { definePlaceKind } from '../places/define-place-kind.ts';
import { listLocations, listUnits, readLastUnitIds, type UnitRow } from '../places/queries/list-places.ts';
import { updateUnit } from '../places/queries/write-places.ts';
import {
  enabledField,
  nameField,
  parseUnitType,
  toPlaceColumns,
  type PlaceFieldTable,
} from '../places/rules/place-fields.ts';
import { listLocationIds, locationIdOf, locationKidOf, unitKeyOf, unitKidOfRow } from '../rules/bank-kids.ts';
import { fieldError } from '../rules/parse-fields.ts';
import type { ImportTarget } from '../import-kind.ts';

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

export const unitsKind = definePlaceKind<UnitRow, Tables['units']>({
  name: 'units',
  belongsTo: 'bank',
  level: 'unit',
  access: { tabs: anyTab, permissions: [...readPermissions, 'Unit.Write', 'Unit.Create'], grantLevel: 'bank' },
  readAccess: { tabs: anyTab, permissions: readPermissions, grantLevel: 'bank' },
  fields: unitFields,
  // Nobody books a unit, charges it or sends anything to it meanwhile.
  locks: ({ bank }) => [outboxLock(bank), ledgerLock(bank, { reservedCount: 0, now: undefined }), placesLock(bank)],
  list: (db, target, kids) =>
    listUnits(db, target.bank, kids && listLocationIds(kids.flatMap((kid) => unitKeyOf(target, kid) ?? []))),
  kidOf: unitKidOfRow,
  idsOf,
  createCheck: async (db, target, rows) => {
    const named = rows.flatMap(({ values }) => locationIdOf(target, values['location']) ?? []);
    const locations = await listLocations(db, target.bank, [...new Set(named)]);
    const locationKids = new Set(locations.map(({ location_id }) => locationKidOf(target, location_id)));
    return ({ values: { location = '' } }, unit) =>
      unit !== undefined || location === '' || locationKids.has(location) ? {} : { errors: [unknownLocation] };
  },
  create: async (db, target, units) => {
    const locationIds = units.map(({ location }) => locationIdOf(target, location) ?? 0);
    // Ids of deleted units are not given again.
    const lastIds = new Map(await readLastUnitIds(db, target.bank, [...new Set(locationIds)]));
    const created = units.map((values, index) => {
      const location_id = locationIds[index] ?? 0;
      const unit_id = (lastIds.get(location_id) ?? 0) + 1;
      lastIds.set(location_id, unit_id);
      const row = newUnitRow({
        name: '',
        unit_type: unitTypeCode(values['type'] as UnitType),
        ...toPlaceColumns(unitFields, values),
        bank_id: target.bank.bankId,
        location_id,
        unit_id,
      });
      return { values, row };
    });
    await insertRows(
      db,
      'units',
      created.map(({ row }) => row),
    );
    return created.map(({ values, row }) => ({ objectKid: unitKidOfRow(target, row), values }));
  },
  update: (db, target, kid, columns) => updateUnit(db, idsOf(target, kid), columns),
});

function idsOf(target: ImportTarget, kid: string): UnitKey {
  return unitKeyOf(target, kid) ?? { bankId: target.bank.bankId, locationId: 0, unitId: 0 };
}

const unknownLocation = fieldError('location', 'unknown-reference', 'there is no such location in the bank');
