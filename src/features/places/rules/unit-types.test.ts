// Checks the types of units from both stored fields, and the name and icon of an unknown type.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isIcon } from '../../icons/assets/icon-catalogue.ts';
import { int64Max, int64Min, type Int64 } from '../../../lib/values/int64.ts';
import { languages } from '../../../lib/text/language.ts';
import {
  isBookableType,
  typeCodeOf,
  unitTypeCode,
  unitTypeIconOf,
  formatUnitTypeName,
  unitTypeOf,
  unitTypes,
} from './unit-types.ts';

// The codes are stored in every database, so they must never change.
const codes = {
  washer: 1,
  dryer: 2,
  ironer: 3,
  shower: 4,
  sauna: 5,
  electricity_meter: 6,
  water_meter: 7,
  heat_meter: 8,
  gas_meter: 9,
  door: 10,
  lock: 11,
  ev_charger: 12,
  parking: 13,
  guest_room: 14,
  party_room: 15,
  payment_terminal: 16,
  extractor: 17,
  bike_charger: 18,
  gate: 19,
  elevator: 20,
  storage_room: 21,
  gym: 22,
  parcel_locker: 23,
  heat_pump: 24,
  thermometer: 25,
  smoke_detector: 26,
  waste_bin: 27,
  freezer: 28,
} as const;

test('[places.02] no type changes its code', () => {
  assert.deepEqual(Object.fromEntries(unitTypes.map((type) => [type, unitTypeCode(type)])), codes);
  for (const [type, code] of Object.entries(codes)) assert.equal(unitTypeOf(code), type);
  for (const code of [0, -1, 29, 255, 1.5]) assert.equal(unitTypeOf(code), undefined);
});

test('[places.02] every type has an icon, of its own name if there is one', () => {
  for (const [type, code] of Object.entries(codes)) {
    const icon = unitTypeIconOf(code);
    assert.ok(isIcon(icon), icon);
    assert.equal(icon, type === 'parcel_locker' ? 'parcel' : type);
  }
  assert.equal(new Set(Object.values(codes).map(unitTypeIconOf)).size, 28);
});

test('[places.02] an unknown type has the name unit and a question mark as its icon', () => {
  for (const code of [undefined, 0, 29, 200, 2 ** 31]) {
    assert.equal(unitTypeIconOf(code), 'question');
    assert.equal(formatUnitTypeName(code, 'en'), 'Unit');
    assert.equal(formatUnitTypeName(code, 'da'), 'Enhed');
  }
  assert.equal(formatUnitTypeName(1, 'da'), 'Vaskemaskine');
  assert.equal(formatUnitTypeName(28, 'is'), 'Frystir');
  for (const language of languages)
    assert.equal(new Set([0, ...Object.values(codes)].map((code) => formatUnitTypeName(code, language))).size, 29);
});

test('[places.02] the newer field has the type, and without it bits 1 to 8 of the packed field', () => {
  const table: [unitType: number, packed: Int64 | null, code: number | undefined][] = [
    [1, null, 1],
    [1, 0b110, 1],
    [99, 0b110, 99],
    [0, 0b110, 3],
    [0, 0b111, 3],
    [0, 0b1, undefined],
    [0, 0, undefined],
    [0, null, undefined],
    [0, 0b1_1111_1110, 255],
    [0, 0b10_0000_0000, undefined],
    [0, 0b10_0000_0010, 1],
    [-1, 0b10, 1],
    [-1, null, undefined],
    [0, -1, 255],
    [0, 2 ** 40 + 4, 2],
    [0, 2n ** 53n + 3n, 1],
    [0, 2n ** 63n - 1n, 255],
    [0, -(2n ** 63n), undefined],
    [0, -(2n ** 63n) + 58n, 29],
    [0, -2, 255],
    [0, -511, undefined],
    [0, -508, 2],
  ];
  for (const [unit_type, packed_type, code] of table)
    assert.equal(typeCodeOf({ unit_type, packed_type }), code, `${unit_type} ${packed_type}`);
});

test('[places.02] only bits 1 to 8 of a packed type count', () => {
  const bits = (value: Int64, from: number, through: number): string =>
    BigInt.asUintN(64, BigInt(value))
      .toString(2)
      .padStart(64, '0')
      .slice(63 - through, 64 - from);
  // As storage delivers them: numbers while they are exact.
  const stored = fc
    .bigInt({ min: int64Min, max: int64Max })
    .map((value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value));
  fc.assert(
    fc.property(fc.oneof(stored, fc.maxSafeInteger()), fc.integer({ min: -5, max: 0 }), (packed, unit_type) => {
      const expected = Number.parseInt(bits(packed, 1, 8), 2);
      assert.equal(typeCodeOf({ unit_type, packed_type: packed }) ?? 0, expected);
    }),
  );
});

test('a type is bookable by its code, and an unknown type is not', () => {
  const booked = Object.entries(codes).filter(([, code]) => isBookableType(code));
  assert.deepEqual(
    booked.map(([type]) => type).toSorted(),
    ['bike_charger', 'dryer', 'ev_charger', 'extractor', 'guest_room', 'gym', 'ironer', 'parking', 'party_room']
      .concat('sauna', 'storage_room', 'washer')
      .toSorted(),
  );
  for (const code of [undefined, 0, -1, 29, 255]) assert.ok(!isBookableType(code), String(code));
});
