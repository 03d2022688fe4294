// Which fields of a unit its document has: all that are permitted, those that a request names, or none.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { typeCatalogueOf } from '../../src/features/units/catalogue/type-catalogue.ts';
import type { ValueKind } from '../../src/features/units/catalogue/value-definition.ts';
import { insertTestBank } from '../support/factories.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { hourMs, testNow } from '../support/times.ts';
import { cyclesAt, documentKidOf, documentPath, formatPaths, report, summarize, unitAt } from './support/reports.ts';

const bankId = 1001;
const [washer, unknown, untyped] = [unitAt(bankId, 1, 1), unitAt(bankId, 1, 2), unitAt(bankId, 1, 3)];

serviceSuite({ now: testNow }, ({ service, manager }) => {
  before(async () => {
    await service.write('sund', async (db) => {
      await insertTestBank(db, { bankId, places: { 1: [1, 2, 3] } });
      for (const [unitId, code] of [
        [2, 999],
        [3, 0],
      ] as const)
        await db.updateTable('units').set({ unit_type: code }).where('unit_id', '=', unitId).execute();
    });
    for (const unit of [washer, unknown, untyped])
      await report(service, unit, { cycles: cyclesAt(1, [testNow - hourMs, testNow]) });
  });

  const get = (query: string, unit = washer, format: (typeof formatPaths)[number] = 'table') =>
    service.call('GET', documentPath(documentKidOf(unit, 1), format, query), manager);
  const columnsOf = async (query: string): Promise<string[] | string> => {
    const reply = await get(query);
    return reply.status === 200 ? reply.json.columns.map(({ name }: { name: string }) => name) : summarize(reply);
  };
  const permitted = (kind: ValueKind): string[] =>
    [...typeCatalogueOf(1).visibleByGroup.values()]
      .flat()
      .filter((each) => each.kind === kind && each.onDocuments)
      .map(({ name }) => name);

  test('[documents.35] without a parameter all fields of its kind are selected, with an empty one none', async () => {
    const [states, settings] = [permitted('State'), permitted('Setting')];
    assert.ok(states.length > 10);
    assert.deepEqual(settings, ['Cycle']);
    assert.deepEqual(await columnsOf(''), [...settings, ...states]);
    assert.deepEqual(await columnsOf('states='), settings);
    assert.deepEqual(await columnsOf('settings='), states);
    assert.deepEqual(await columnsOf('states=&settings='), []);
    assert.deepEqual(await columnsOf('states=Power'), ['Cycle', 'Power']);
    assert.deepEqual(await columnsOf('States=Power&SETTINGS='), ['Power']);
  });

  test('[documents.34] names are separated by commas, in any order; a name that is given twice is one column', async () => {
    assert.deepEqual(await columnsOf('settings=&states=SpinSpeed,Temperature'), ['Temperature', 'SpinSpeed']);
    assert.deepEqual(await columnsOf('settings=&states=Power,Power'), ['Power']);
    assert.deepEqual(await columnsOf('settings=Cycle,Cycle&states='), ['Cycle']);
  });

  test('[documents.34, documents.36] another spelling, or a field that documents of the unit do not have, is 400', async () => {
    const wrong = [
      'states=power',
      'states=POWER',
      'states=Power,',
      'states=,Power',
      'states=,',
      'states=%20Power',
      'states=Power%20',
      'states=Power;Temperature',
      'states=Unknown',
      'states=Power,Unknown',
      'states=__proto__',
      // A state of another type, one that is not on documents, and a setting.
      'states=Voltage',
      'states=SignalStrength',
      'states=Cycle',
      'settings=cycle',
      'settings=Power',
      // States that are not on documents, and are never shown.
      'settings=OutOfOrder',
      'settings=EquipmentKey',
      `states=${'x'.repeat(9000)}`,
      'states=Power&states=Power',
      'state=Power',
    ];
    for (const query of wrong) assert.equal(await columnsOf(query), '400 invalid-request', query.slice(0, 80));
    for (const format of formatPaths) {
      assert.equal(summarize(await get('states=power', washer, format)), '400 invalid-request');
      assert.equal(summarize(await get('settings=Unknown', washer, format)), '400 invalid-request');
    }
  });

  test('[documents.37] a unit of an unknown type has documents that no format can show', async () => {
    for (const unit of [unknown, untyped])
      for (const format of formatPaths)
        for (const query of ['', 'states=&settings='])
          assert.equal(summarize(await get(query, unit, format)), '422 unsupported-unit-type', format);
  });

  test('[documents.38] labels are English, and names are those of the catalogue', async () => {
    const { json } = await service.call('GET', documentPath(documentKidOf(washer, 1), 'table', 'states=SpinSpeed'), {
      ...manager,
      headers: { 'accept-language': 'da' },
    });
    assert.deepEqual(json.columns[1], {
      name: 'SpinSpeed',
      kind: 'State',
      label: 'Spin speed',
      valueType: 'int',
      unitOfMeasure: '/min',
    });
  });
});
