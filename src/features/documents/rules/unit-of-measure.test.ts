// Checks the readable forms of units of measure.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allDefinitions } from '../../units/catalogue/type-catalogue.ts';
import { formatUnitOfMeasure } from './unit-of-measure.ts';

test('a UCUM code is shown as people write the unit', () => {
  const table: [ucum: string, readable: string][] = [
    ['Cel', '°C'],
    ['kW.h', 'kWh'],
    ['m3', 'm³'],
    ['m2', 'm²'],
    ['/min', '1/min'],
    ['L/h', 'L/h'],
    ['m3/h', 'm³/h'],
    ['kW.h/m2', 'kWh/m²'],
    ['kg/m3', 'kg/m³'],
    ['m.s-2', 'm·s⁻²'],
    ['[degF]', '°F'],
    ['{residents}', 'residents'],
    ['1/{residents}', '1/residents'],
    ['%', '%'],
    ['mm[Hg]', 'mm[Hg]'],
    ['10*3', '10*3'],
    ['', '1'],
    ['<b>', '<b>'],
  ];
  for (const [ucum, readable] of table) assert.equal(formatUnitOfMeasure(ucum), readable);
});

test('every unit of the catalogue has a readable form', () => {
  const units = new Set(allDefinitions.flatMap(({ unitOfMeasure }) => unitOfMeasure ?? []));
  assert.ok(units.size > 10);
  for (const unit of units) assert.match(formatUnitOfMeasure(unit), /^(?:1\/)?[a-zA-Z%°µΩ]+[²³]?(?:\/[a-z]+)?$/);
});
