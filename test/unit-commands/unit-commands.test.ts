// SendUnitCommand and GetUnitCommands: what managers send to devices, and what became of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandNames } from '../../src/features/units/rules/command-catalogue.ts';
import { languages } from '../../src/lib/text/language.ts';
import { formatUtc } from '../../src/lib/time/ms2000.ts';
import { recordAudit } from '../support/audit.ts';
import type { CallOptions } from '../support/call.ts';
import { readLocale } from '../support/locales.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { createEquipment, type TestEquipment } from '../support/streams.ts';
import { minuteMs, testNow } from '../support/times.ts';
import { setUnitType, unitIds } from '../support/unit-settings.ts';

serviceSuite({ now: testNow }, (suite) => {
  const { service, manager, clock } = suite;
  const pathOf = (equipment: TestEquipment, place = '1-1') => `/api/v1/units/${equipment.unit(place)}/commands`;
  const send = (equipment: TestEquipment, body: unknown = { name: 'Restart' }, options: CallOptions = {}) =>
    service.call('POST', pathOf(equipment), { token: manager.token, body, ...options });
  const list = async (equipment: TestEquipment, query = '', place = '1-1') => {
    const { status, json, text } = await service.call('GET', `${pathOf(equipment, place)}${query}`, {
      token: manager.token,
    });
    assert.equal(status, 200, text);
    return json;
  };
  const stateOf = async (equipment: TestEquipment) => (await list(equipment)).items[0]?.state;
  /** As if the records of the outbox stood in an answer to the computer. */
  const markSent = ({ bankId }: TestEquipment) =>
    service.write('sund', async (db) => {
      await db.updateTable('device_sync').set({ state: 'sent' }).where('bank_id', '=', bankId).execute();
    });
  const readRecord = ({ bankId }: TestEquipment) =>
    service.read('sund', (db) =>
      db.selectFrom('device_sync').selectAll().where('bank_id', '=', bankId).executeTakeFirstOrThrow(),
    );
  const iso = (ms = 0) => formatUtc(clock.now + ms);
  const answer = (equipment: TestEquipment, line: Record<string, unknown>, first = 1) =>
    equipment.send('samples', [{ t: 'result', at: iso(), unit: equipment.unit('1-1'), ...line }], { first });

  test('a command is queued with its time to live, and is in the audit log', async () => {
    const equipment = await createEquipment(suite);
    const { result: sent, entries } = await recordAudit(service, () =>
      send(equipment, { name: 'StopProgram', ttlSeconds: 60 }),
    );
    const { id, createdBy, ...command } = sent.json;
    assert.equal(sent.status, 201, sent.text);
    assert.match(id, /^C[1-9]\d*$/);
    assert.equal(typeof createdBy, 'string');
    assert.deepEqual(command, {
      name: 'StopProgram',
      label: 'Stop the programme',
      state: 'queued',
      createdUtc: formatUtc(testNow),
      expiresUtc: formatUtc(testNow + minuteMs),
      finishedUtc: null,
      code: null,
    });
    assert.deepEqual(
      entries.map(({ operation, object }) => [operation, object]),
      [['SendUnitCommand', equipment.unit('1-1')]],
    );
    assert.deepEqual((await list(equipment)).items, [sent.json]);
    assert.deepEqual((await list(equipment, '', '1-2')).items, []);
  });

  test('[commands.01] every command has a label in each of the ten languages, in both operations', async () => {
    const equipment = await createEquipment(suite);
    for (const language of languages) {
      const headers = { 'accept-language': language };
      const texts = new Map(readLocale(language).map(({ key, text }) => [key, text]));
      const sent = await send(equipment, undefined, { headers });
      assert.equal(sent.status, 201, sent.text);
      const { json } = await service.call('GET', `${pathOf(equipment)}?limit=1`, { ...manager, headers });
      for (const { name, label } of [sent.json, json.items[0]])
        assert.deepEqual([name, label], ['Restart', texts.get('unit-commands.Restart')], language);
      assert.deepEqual(
        [...texts.keys()].filter((key) => key.startsWith('unit-commands.')),
        commandNames.map((each) => `unit-commands.${each}`),
        language,
      );
    }
  });

  test('without a time to live a command expires after five minutes', async () => {
    const equipment = await createEquipment(suite);
    assert.equal((await send(equipment)).json.expiresUtc, formatUtc(testNow + 5 * minuteMs));
  });

  test('a command that the type of the unit does not have is 422, and stores nothing', async () => {
    const equipment = await createEquipment(suite);
    const { status, json } = await send(equipment, { name: 'Unlock' });
    assert.deepEqual([status, json.code], [422, 'command-not-supported']);
    assert.deepEqual((await list(equipment)).items, []);
    await service.write('sund', (db) => setUnitType(db, unitIds(equipment.bankId), 'door'));
    assert.equal((await send(equipment, { name: 'Unlock' })).status, 201);
  });

  test('GetUnitOverview names the commands that the unit understands: each of them can be sent', async () => {
    const equipment = await createEquipment(suite);
    const commandsOfUnit = async () => {
      const { json } = await service.call('GET', `/api/v1/units/${equipment.unit('1-1')}`, { token: manager.token });
      return json.commands;
    };
    assert.deepEqual(await commandsOfUnit(), [
      { name: 'StopProgram', label: 'Stop the programme' },
      { name: 'Restart', label: 'Restart' },
    ]);
    for (const { name } of await commandsOfUnit()) assert.equal((await send(equipment, { name })).status, 201, name);
    await service.write('sund', (db) => setUnitType(db, unitIds(equipment.bankId), 'door'));
    const names = (await commandsOfUnit()).map((each: { name: string }) => each.name);
    assert.deepEqual(names, ['Unlock', 'Lock', 'Restart']);
  });

  test('an unknown name, and a time to live below 5 seconds or above a day, are 400', async () => {
    const equipment = await createEquipment(suite);
    const name = 'Restart';
    for (const body of [{}, { name: 'restart' }, { name: '' }, { name, ttlSeconds: '60' }, { name, note: 'x' }])
      assert.equal((await send(equipment, body)).status, 400, JSON.stringify(body));
    for (const [ttlSeconds, status] of [
      [4, 400],
      [5, 201],
      [86_400, 201],
      [86_401, 400],
    ])
      assert.equal((await send(equipment, { name, ttlSeconds })).status, status, String(ttlSeconds));
  });

  test('a unit that does not exist has no commands', async () => {
    const equipment = await createEquipment(suite);
    const path = pathOf(equipment, '9-9');
    const { token } = manager;
    assert.equal((await service.call('GET', path, { token })).status, 404);
    assert.equal((await service.call('POST', path, { token, body: { name: 'Restart' } })).status, 404);
  });

  test('a repeated request with its Idempotency-Key sends one command', async () => {
    const equipment = await createEquipment(suite);
    const headers = { 'idempotency-key': `command-${equipment.bankId}` };
    const [first, second] = [
      await send(equipment, undefined, { headers }),
      await send(equipment, undefined, { headers }),
    ];
    assert.deepEqual([second.status, second.json.id], [201, first.json.id]);
    assert.equal((await list(equipment)).items.length, 1);
  });

  test('a command is sent when the computer gets it, and done or failed only when the device says so', async () => {
    for (const [line, state, code] of [
      [{ ok: true }, 'done', null],
      [{ ok: false, code: 'E12' }, 'failed', 'E12'],
    ] as const) {
      const equipment = await createEquipment(suite);
      const { id } = (await send(equipment)).json;
      const { subject_kind, subject_id, unit_id } = await readRecord(equipment);
      assert.deepEqual([subject_kind, `C${subject_id}`, unit_id], ['command', id, 1]);
      await markSent(equipment);
      assert.equal(await stateOf(equipment), 'sent');
      assert.deepEqual((await answer(equipment, { command: id, ...line })).json.held, []);
      const [command] = (await list(equipment)).items;
      assert.deepEqual([command.state, command.code, command.finishedUtc], [state, code, iso()]);
      assert.equal((await readRecord(equipment)).state, state === 'done' ? 'acknowledged' : 'failed');
    }
  });

  test('a command expires without a result, and still accepts one that comes late', async () => {
    const equipment = await createEquipment(suite);
    const { id } = (await send(equipment, { name: 'Restart', ttlSeconds: 5 })).json;
    clock.now += 4999;
    assert.equal(await stateOf(equipment), 'queued');
    clock.now += 1;
    assert.equal(await stateOf(equipment), 'expired');
    await answer(equipment, { command: id, ok: true });
    assert.equal(await stateOf(equipment), 'done');
  });

  test('the first result counts, and one of a command that the unit does not have is held', async () => {
    const equipment = await createEquipment(suite);
    const { id } = (await send(equipment)).json;
    await answer(equipment, { command: id, ok: true });
    assert.deepEqual((await answer(equipment, { command: id, ok: false, code: 'E1' }, 2)).json.held, []);
    assert.equal(await stateOf(equipment), 'done');
    const others = [{ command: 'C999999' }, { command: id, unit: equipment.unit('1-2') }];
    for (const [at, other] of others.entries()) {
      const { json } = await answer(equipment, { ok: true, ...other }, 3 + at);
      assert.deepEqual(
        json.held.map(({ code }: { code: string }) => code),
        ['unknown-command'],
      );
    }
  });

  test('commands are listed newest first, and pages together are the whole list', async () => {
    const equipment = await createEquipment(suite);
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift((await send(equipment)).json.id);
    assert.equal(new Set(ids).size, 5);
    const idsOf = (page: { items: { id: string }[] }) => page.items.map(({ id }) => id);
    assert.deepEqual(idsOf(await list(equipment)), ids);
    const found: string[] = [];
    let page = await list(equipment, '?limit=2');
    found.push(...idsOf(page));
    while (page.hasMore) {
      page = await list(equipment, `?limit=2&cursor=${page.nextCursor}`);
      found.push(...idsOf(page));
    }
    assert.deepEqual(found, ids);
  });

  test('commands sent at the same time have ids of their own', async () => {
    const equipment = await createEquipment(suite);
    const sent = await Promise.all(Array.from({ length: 8 }, () => send(equipment)));
    assert.deepEqual(new Set(sent.map(({ status }) => status)), new Set([201]));
    assert.equal(new Set(sent.map(({ json }) => json.id)).size, 8);
  });

  test('who may read units but not write them sends no commands', async () => {
    const equipment = await createEquipment(suite);
    const token = await suite.issueToken({ permissions: ['Bank.Read', 'Location.Read', 'Unit.Read'] });
    const path = pathOf(equipment);
    assert.equal((await service.call('GET', path, { token })).status, 200);
    assert.equal((await service.call('POST', path, { token, body: { name: 'Restart' } })).status, 403);
  });
});
