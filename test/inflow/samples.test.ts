// Lines of the stream of samples: states, runs, settings that were changed at the device, and last contacts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceSuite } from '../support/service-suite.ts';
import { createEquipment, type TestEquipment } from '../support/streams.ts';
import { hourMs, minuteMs, testNow } from '../support/times.ts';

serviceSuite({ now: testNow }, (suite) => {
  const { service, manager } = suite;
  const iso = (ms: number) => new Date(Date.UTC(2000, 0, 1) + testNow + ms).toISOString();
  const line = (equipment: TestEquipment, t: string, ms: number, change: Record<string, unknown> = {}) => ({
    t,
    at: iso(ms),
    unit: equipment.unit('1-1'),
    ...change,
  });
  const readStates = ({ bankId }: TestEquipment) =>
    service.read('sund', (db) =>
      db
        .selectFrom('unit_states')
        .select(['name', 'value', 'reported_at'])
        .where('bank_id', '=', bankId)
        .orderBy('name')
        .execute(),
    );
  const readUnit = ({ bankId }: TestEquipment, unitId = 1) =>
    service.read('sund', (db) =>
      db
        .selectFrom('units')
        .selectAll()
        .where('bank_id', '=', bankId)
        .where('location_id', '=', 1)
        .where('unit_id', '=', unitId)
        .executeTakeFirstOrThrow(),
    );
  const settingPath = (equipment: TestEquipment, name: string) =>
    `/api/v1/units/${equipment.unit('1-1')}/settings/${name}`;
  const readSetting = ({ bankId }: TestEquipment, name: string) =>
    service.read('sund', (db) =>
      db
        .selectFrom('unit_settings')
        .selectAll()
        .where('bank_id', '=', bankId)
        .where('name', '=', name)
        .executeTakeFirst(),
    );

  test('of each state the newest value is kept, in whatever order values arrive', async () => {
    const equipment = await createEquipment(suite);
    const { json } = await equipment.send('samples', [
      line(equipment, 'state', -minuteMs, { name: 'Power', value: 1.5 }),
      line(equipment, 'samples', -hourMs, { values: { Power: 2.5, Phase: 'Spinning' } }),
    ]);
    assert.deepEqual([json.held, json.through], [[], 2]);
    await equipment.send('samples', [line(equipment, 'state', -2 * hourMs, { name: 'Power', value: 9 })], { first: 3 });
    const states = await readStates(equipment);
    assert.deepEqual(
      states.map(({ name, value, reported_at }) => [name, value, reported_at - testNow]),
      [
        ['Phase', 'Spinning', -hourMs],
        ['Power', '1.500', -minuteMs],
      ],
    );
  });

  test('a run is a document of its unit', async () => {
    const equipment = await createEquipment(suite);
    await equipment.send('samples', [
      line(equipment, 'cycle', -hourMs, { document: '5551', value: 'Wash' }),
      line(equipment, 'samples', -hourMs + 1000, { values: { Power: 1.5 } }),
      line(equipment, 'cycle', -minuteMs, { document: '5551', value: 'End' }),
      line(equipment, 'synced', 0),
    ]);
    const { status, json } = await service.call('GET', `/api/v1/documents/${equipment.unit('1-1')}-D5551/table`, {
      token: manager.token,
    });
    assert.equal(status, 200, JSON.stringify(json));
  });

  test('a setting that was changed at the device has a history row without an editor, and is not queued back', async () => {
    const equipment = await createEquipment(suite);
    const { json } = await equipment.send('samples', [
      line(equipment, 'setting', -minuteMs, { name: 'MaxTemperature', value: 60 }),
    ]);
    assert.deepEqual(json.held, []);
    const setting = await readSetting(equipment, 'MaxTemperature');
    assert.deepEqual([setting?.value, setting?.editor_id, setting?.sync_id], ['60', null, null]);
    const conflict = await service.call('PUT', settingPath(equipment, 'MaxTemperature'), {
      token: manager.token,
      body: { value: 40, expectedRevision: '0' },
    });
    assert.equal(conflict.status, 409);
  });

  test('a later setting of a manager stays, and an earlier one that was not sent yet is superseded', async () => {
    const equipment = await createEquipment(suite);
    const put = await service.call('PUT', settingPath(equipment, 'MaxTemperature'), {
      token: manager.token,
      body: { value: 40, expectedRevision: '0' },
    });
    assert.equal(put.status, 200);
    await equipment.send('samples', [line(equipment, 'setting', -minuteMs, { name: 'MaxTemperature', value: 60 })]);
    assert.equal((await readSetting(equipment, 'MaxTemperature'))?.value, '40');
    await equipment.send('samples', [line(equipment, 'setting', minuteMs, { name: 'MaxTemperature', value: 90 })], {
      first: 2,
    });
    assert.equal((await readSetting(equipment, 'MaxTemperature'))?.value, '90');
    const syncs = await service.read('sund', (db) =>
      db.selectFrom('device_sync').select('state').where('bank_id', '=', equipment.bankId).execute(),
    );
    assert.deepEqual(syncs, [{ state: 'superseded' }]);
  });

  test('unknown names and values, and lines that are no samples, are held and change nothing', async () => {
    const equipment = await createEquipment(suite);
    const { json } = await equipment.send('samples', [
      line(equipment, 'state', -1, { name: 'Nothing', value: 1 }),
      line(equipment, 'state', -1, { name: 'Power', value: 'much' }),
      line(equipment, 'samples', -1, { values: { Power: 1, Nothing: 2 } }),
      line(equipment, 'setting', -1, { name: 'Power', value: 1 }),
      line(equipment, 'cycle', -1, { document: '5', value: 'Nonsense' }),
      line(equipment, 'use', -1),
      line(equipment, 'state', -1, { unit: undefined, name: 'Power', value: 1 }),
      line(equipment, 'state', hourMs, { name: 'Power', value: 1 }),
      line(equipment, 'result', -1, { command: 'C1', ok: true }),
    ]);
    assert.deepEqual(
      json.held.map(({ code }: { code: string }) => code),
      [
        'unknown-value',
        'unknown-value',
        'unknown-value',
        'unknown-value',
        'unknown-value',
        'malformed',
        'malformed',
        'time-ahead',
        'unknown-command',
      ],
    );
    assert.deepEqual(await readStates(equipment), []);
  });

  test('any line of a unit is its last contact, to within some seconds, and alive that of the computer', async () => {
    const equipment = await createEquipment(suite);
    await equipment.send('samples', [line(equipment, 'alive', -minuteMs), { t: 'alive', at: iso(0) }], {
      software: '2.4.1',
      buffered: 7,
      sentAt: iso(3000),
    });
    assert.equal((await readUnit(equipment)).last_contact_at, testNow - minuteMs - 3000);
    assert.equal((await readUnit(equipment, 2)).last_contact_at, null);
    const state = await service.read('sund', (db) =>
      db.selectFrom('computer_states').selectAll().where('bank_id', '=', equipment.bankId).executeTakeFirstOrThrow(),
    );
    assert.deepEqual(
      [state.software, state.buffered, state.clock_offset_ms, state.last_contact_at],
      ['2.4.1', 7, 3000, testNow],
    );
    await equipment.send('money', [equipment.use()]);
    assert.equal((await readUnit(equipment)).last_contact_at, testNow - minuteMs - 3000);
    await equipment.send('money', [equipment.use({ at: iso(-1) })], { first: 2 });
    assert.equal((await readUnit(equipment)).last_contact_at, testNow - 1);
  });
});
