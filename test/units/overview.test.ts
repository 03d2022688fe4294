// GetUnitOverview: the unit, the groups that its type has, and a revision that turns with all of it.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { typeCatalogueOf } from '../../src/features/units/catalogue/type-catalogue.ts';
import { unitTypeCode, unitTypes } from '../../src/features/places/rules/unit-types.ts';
import { insertTestBank, createToken } from '../support/factories.ts';
import {
  unitIds,
  updateUnit,
  insertSetting,
  setUnitType,
  fetchUnitGroup,
  insertState,
  callSetUnitSetting,
  unitPath,
} from '../support/unit-settings.ts';
import { serviceSuite } from '../support/service-suite.ts';

serviceSuite({}, ({ service, manager }) => {
  before(async () => {
    await service.write('sund', (db) => insertTestBank(db, { places: { 1: [1, 2, 3, 4] } }));
  });

  const overview = (unit = unitIds(), headers: Record<string, string> = {}) =>
    service.call('GET', unitPath(unit), { token: manager.token, headers });

  test('[settings.01, settings.06] the overview has the unit, its groups of settings and of states, and a revision', async () => {
    const { status, json, headers } = await overview();
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(json), ['unit', 'groups', 'commands', 'revision']);
    assert.deepEqual(
      [json.unit.kid, json.unit.locationKid, json.unit.bankKid, json.unit.name, json.unit.unitType, json.unit.typeName],
      ['sund-B1001-L1-U1', 'sund-B1001-L1', 'sund-B1001', 'Washer 1', 1, 'Washer'],
    );
    assert.deepEqual(
      json.groups.map(({ name, kind, label }: Record<string, string>) => [name, kind, label]),
      [
        ['General', 'Settings', 'General'],
        ['Operation', 'Settings', 'Operation'],
        ['Prices', 'Settings', 'Prices'],
        ['OpeningHours', 'Settings', 'Opening hours'],
        ['Booking', 'Settings', 'Booking'],
        ['Network', 'Settings', 'Network'],
        ['Status', 'States', 'Status'],
        ['Program', 'States', 'Programme'],
        ['Measurements', 'States', 'Measurements'],
        ['Counters', 'States', 'Counters'],
        ['Connection', 'States', 'Connection'],
      ],
    );
    assert.equal(headers['cache-control'], 'no-store');
  });

  test('[settings.06, settings.07] a count is the number of values in the group, for units of every type and of an unknown one', async () => {
    for (const code of [...unitTypes.map(unitTypeCode), 0, 200]) {
      await service.write('sund', (db) => updateUnit(db, unitIds(1001, 1, 2), { unit_type: code }));
      const { json } = await overview(unitIds(1001, 1, 2));
      assert.deepEqual(
        json.groups.map(({ name }: { name: string }) => name),
        [...typeCatalogueOf(code).visibleByGroup.keys()],
      );
      for (const { name, count } of json.groups)
        assert.equal(
          (await fetchUnitGroup(service, unitIds(1001, 1, 2), name, manager)).length,
          count,
          `${code} ${name}`,
        );
    }
  });

  test('[settings.06] the type comes from the newer field, else from the packed one', async () => {
    const packed = (unitTypeCode('sauna') << 1) | 1 | (77 << 9);
    await service.write('sund', (db) => updateUnit(db, unitIds(1001, 1, 3), { unit_type: 0, packed_type: packed }));
    const older = (await overview(unitIds(1001, 1, 3))).json;
    assert.deepEqual([older.unit.unitType, older.unit.typeName], [unitTypeCode('sauna'), 'Sauna']);
    const names = (await fetchUnitGroup(service, unitIds(1001, 1, 3), 'Operation', manager)).map(({ name }) => name);
    assert.ok(names.includes('TemperatureSetpoint'));
    // The bits around it can be as many as 64.
    const revisions = new Set([older.revision]);
    for (const high of [2n ** 44n, -(2n ** 44n), -(2n ** 53n)]) {
      const wide = high * 512n + BigInt(unitTypeCode('sauna') << 1);
      await service.write('sund', (db) => updateUnit(db, unitIds(1001, 1, 3), { packed_type: wide }));
      const { status, json } = await overview(unitIds(1001, 1, 3));
      assert.deepEqual([status, json.unit?.unitType], [200, unitTypeCode('sauna')], String(wide));
      revisions.add(json.revision);
    }
    assert.equal(revisions.size, 4);
    await service.write('sund', (db) => setUnitType(db, unitIds(1001, 1, 3), 'dryer'));
    assert.equal((await overview(unitIds(1001, 1, 3))).json.unit.typeName, 'Dryer');
  });

  test('the overview is in the caller’s language', async () => {
    for (const [language, name, label] of [
      ['da', 'Vaskemaskine 1', 'Åbningstider'],
      ['fr', 'Lave-linge 1', 'Horaires d’ouverture'],
      ['en', 'Washer 1', 'Opening hours'],
    ] as const) {
      const { json, headers } = await overview(unitIds(), { 'accept-language': language });
      assert.equal(headers['content-language'], language);
      assert.equal(json.unit.name, name);
      assert.ok(json.groups.some((group: { label: string }) => group.label === label));
    }
  });

  test('[settings.06] the revision changes with the unit, its settings and its states, and with nothing else', async () => {
    const unit = unitIds(1001, 1, 4);
    const revision = async (): Promise<string> => (await overview(unit)).json.revision;
    const seen = [await revision()];
    const turned = async (what: string): Promise<void> => {
      const now = await revision();
      assert.ok(!seen.includes(now), what);
      assert.equal(await revision(), now, `${what}: and stays`);
      seen.push(now);
    };
    const write = <T>(work: Parameters<typeof service.write<T>>[1]): Promise<T> => service.write('sund', work);
    assert.equal((await callSetUnitSetting(service, unit, 'ChildLock', true, manager)).status, 200);
    await turned('a setting');
    assert.equal((await callSetUnitSetting(service, unit, 'OutOfOrder', true, manager)).status, 200);
    await turned('another setting');
    assert.equal((await overview(unit)).json.unit.outOfOrder, true);
    await write((db) => insertState(db, unit, 'Temperature', '40.0', 1000));
    await turned('a state');
    await write((db) => db.updateTable('unit_states').set({ value: '41.0', reported_at: 2000 }).execute());
    await turned('the same state anew');
    await write((db) => insertState(db, unit, 'ErrorId', '7', 500));
    await turned('a state reported earlier');
    await write((db) => updateUnit(db, unit, { name: 'Other' }));
    await turned('the name');
    await write((db) => setUnitType(db, unit, 'dryer'));
    await turned('the type');
    await write((db) => updateUnit(db, unit, { enabled: 0 }));
    await turned('whether it is enabled');
    assert.equal((await overview(unit)).json.unit.enabled, false);
    await write((db) => insertSetting(db, unitIds(1001, 1, 1), { name: 'Note', value: 'x', version: 5 }));
    assert.equal(await revision(), seen.at(-1), 'a setting of another unit');
    const { version } = await write((db) =>
      db
        .selectFrom('units')
        .select('version')
        .where('location_id', '=', 1)
        .where('unit_id', '=', 4)
        .executeTakeFirstOrThrow(),
    );
    const row = await callSetUnitSetting(service, unit, 'ChildLock', true, {
      token: manager.token,
      expectedRevision: '2',
    });
    assert.deepEqual([row.status, version], [200, 3]);
    assert.equal(await revision(), seen.at(-1), 'a write of what holds already');
  });

  test('[general.50] the revision begins a strong ETag, and If-None-Match gives 304 after the rights were checked', async () => {
    const first = await overview();
    assert.ok(first.headers['etag']?.startsWith(`"${first.json.revision}.`));
    const again = await overview(unitIds(), { 'if-none-match': first.headers['etag'] ?? '' });
    assert.deepEqual([again.status, again.text], [304, '']);
    assert.equal((await overview(unitIds(), { 'if-none-match': '"other"' })).status, 200);
    const danish = await overview(unitIds(), { 'accept-language': 'da', 'if-none-match': first.headers['etag'] ?? '' });
    assert.deepEqual([danish.status, danish.json.revision], [200, first.json.revision]);
    const { token: none } = await createToken(service, { tabs: [] });
    const headers = { 'if-none-match': first.headers['etag'] ?? '' };
    assert.equal((await service.call('GET', unitPath(unitIds()), { token: none, headers })).status, 403);
  });
});
