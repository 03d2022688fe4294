// What computers are told of changes, what devices say of them, and what managers see of both.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anonymiseResidents } from '../../src/features/residents/commands/anonymise-residents.ts';
import { createExpiryRule } from '../../src/features/residents/rules/expiry.ts';
import { setTenantSetting } from '../support/factories.ts';
import { grantBank } from '../support/granted-banks.ts';
import { reverseEntry } from '../support/reversal.ts';
import { readDesired, readSnapshot, type Change } from '../support/desired.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { createEquipment, tagOf, type TestEquipment } from '../support/streams.ts';
import { executeUserCommand } from '../support/resident-calls.ts';
import { dayMs, testNow } from '../support/times.ts';

serviceSuite({ now: testNow }, (suite) => {
  const { service, manager } = suite;
  const at = new Date(Date.UTC(2000, 0, 1) + testNow).toISOString();
  const putSetting = async (equipment: TestEquipment, name: string, value: unknown, place = '1-1') => {
    const path = `/api/v1/units/${equipment.unit(place)}/settings/${name}`;
    const rows = await service.read('sund', (db) =>
      db
        .selectFrom('unit_settings')
        .select('version')
        .where('bank_id', '=', equipment.bankId)
        .where('location_id', '=', Number(place.split('-')[0]))
        .where('unit_id', '=', Number(place.split('-')[1]))
        .where('name', '=', name)
        .execute(),
    );
    const expectedRevision = String(rows[0]?.version ?? 0);
    const { status, text } = await service.call('PUT', path, {
      token: manager.token,
      body: { value, expectedRevision },
    });
    assert.equal(status, 200, text);
  };
  const command = async ({ bankId }: TestEquipment, name: string, expectedRevision: number, value?: string) => {
    const { status, text } = await executeUserCommand(
      service,
      1001,
      { command: name, expectedRevision: String(expectedRevision), ...(value === undefined ? {} : { value }) },
      { bankId, token: manager.token },
    );
    assert.equal(status, 200, text);
  };
  const desired = async ({ key }: TestEquipment, after = 0): Promise<Change[]> => {
    const { status, json, text } = await readDesired(service, key, after);
    assert.equal(status, 200, text);
    return json.changes;
  };
  const statesOf = async ({ bankId }: TestEquipment): Promise<string[]> => {
    const rows = await service.read('sund', (db) =>
      db.selectFrom('device_sync').select('state').where('bank_id', '=', bankId).orderBy('sync_id').execute(),
    );
    return rows.map(({ state }) => state);
  };
  const apply = (equipment: TestEquipment, lines: readonly Record<string, unknown>[], first = 1) =>
    equipment.send(
      'samples',
      lines.map((line) => ({ t: 'applied', at, ok: true, ...line })),
      { first },
    );
  const isSynced = async (equipment: TestEquipment, group: string, name: string): Promise<boolean> => {
    const { status, json, text } = await service.call('GET', `/api/v1/units/${equipment.unit('1-1')}/groups/${group}`, {
      token: manager.token,
    });
    assert.equal(status, 200, text);
    return json.values.find((item: { name: string }) => item.name === name).synced;
  };

  test('a setting is queued, sent when it stood in an answer, and synced only when the device has confirmed it', async () => {
    const equipment = await createEquipment(suite);
    await putSetting(equipment, 'MaxTemperature', 60);
    assert.deepEqual(await statesOf(equipment), ['queued']);
    assert.deepEqual(await desired(equipment), [
      {
        v: 1,
        kind: 'setting',
        unit: equipment.unit('1-1'),
        name: 'MaxTemperature',
        value: 60,
        revision: '2',
      },
    ]);
    assert.deepEqual(await statesOf(equipment), ['sent']);
    await apply(equipment, [{ v: 1 }]);
    assert.deepEqual(await statesOf(equipment), ['acknowledged']);
    assert.deepEqual(await desired(equipment, 1), []);
  });

  test('of a value that was replaced only the newest is told, and the other is superseded', async () => {
    const equipment = await createEquipment(suite);
    for (const value of [40, 60, 90]) await putSetting(equipment, 'MaxTemperature', value);
    const changes = await desired(equipment);
    assert.deepEqual(
      changes.map(({ v, value }) => [v, value]),
      [[3, 90]],
    );
    assert.deepEqual(await statesOf(equipment), ['superseded', 'superseded', 'sent']);
  });

  test('what a device refuses has failed with its code', async () => {
    const equipment = await createEquipment(suite);
    await putSetting(equipment, 'MaxTemperature', 60);
    await desired(equipment);
    await apply(equipment, [{ v: 1, ok: false, code: 'E12' }]);
    const rows = await service.read('sund', (db) =>
      db.selectFrom('device_sync').select(['state', 'code']).where('bank_id', '=', equipment.bankId).execute(),
    );
    assert.deepEqual(rows, [{ state: 'failed', code: 'E12' }]);
  });

  test('a version that was never told, and one of the units of another computer, change nothing', async () => {
    const equipment = await createEquipment(suite);
    const other = await createEquipment(suite, { bankId: equipment.bankId, computerId: 2, isNewBank: false });
    await putSetting(equipment, 'MaxTemperature', 60);
    await command(equipment, 'Disable', 1);
    await apply(equipment, [{ v: 1 }, { v: 2 }, { v: 9999 }]);
    assert.deepEqual(await statesOf(equipment), ['queued', 'queued']);
    await desired(equipment);
    await desired(other);
    await apply(other, [{ v: 1 }]);
    assert.deepEqual((await statesOf(equipment))[0], 'sent');
  });

  test('a value that was sent and not confirmed is superseded when the device is told a newer one', async () => {
    const equipment = await createEquipment(suite);
    await putSetting(equipment, 'MaxTemperature', 60);
    await desired(equipment);
    await putSetting(equipment, 'MaxTemperature', 90);
    assert.deepEqual(await statesOf(equipment), ['sent', 'queued']);
    await desired(equipment, 1);
    assert.deepEqual(await statesOf(equipment), ['superseded', 'sent']);
  });

  test('a command is told until it expires, and then has expired without a word', async () => {
    const equipment = await createEquipment(suite);
    const send = async (ttlSeconds: number) => {
      const { status, text } = await service.call('POST', `/api/v1/units/${equipment.unit('1-1')}/commands`, {
        token: manager.token,
        body: { name: 'Restart', ttlSeconds },
      });
      assert.equal(status, 201, text);
    };
    await send(60);
    await send(600);
    suite.clock.now += 120_000;
    const changes = await desired(equipment);
    assert.deepEqual(
      changes.map(({ v, id, name }) => [v, id, name]),
      [[2, 'C2', 'Restart']],
    );
    assert.deepEqual(await statesOf(equipment), ['expired', 'sent']);
    const { things } = await readSnapshot(service, equipment.key);
    assert.deepEqual(
      things.filter(({ kind }) => kind === 'command').map(({ id }) => id),
      ['C2'],
    );
  });

  test('a snapshot that was applied acknowledges no command that had expired', async () => {
    const equipment = await createEquipment(suite);
    await service.call('POST', `/api/v1/units/${equipment.unit('1-1')}/commands`, {
      token: manager.token,
      body: { name: 'Restart', ttlSeconds: 60 },
    });
    suite.clock.now += 120_000;
    const { version } = await readSnapshot(service, equipment.key);
    await apply(equipment, [{ snapshot: version }]);
    assert.deepEqual(await statesOf(equipment), ['expired']);
  });

  test('a reversal is told to the computer that sent the use, by its reference, and to no other', async () => {
    const equipment = await createEquipment(suite);
    const other = await createEquipment(suite, { bankId: equipment.bankId, computerId: 2, isNewBank: false });
    await service.write('sund', (db) => setTenantSetting(db, 'accountingRetentionDays', '400'));
    await equipment.send('money', [equipment.use({ ref: 'A-1' })]);
    const [posting] = await equipment.postings();
    const { status, text } = await reverseEntry(service, posting!.posting_id, {
      bankId: equipment.bankId,
      token: manager.token,
    });
    assert.equal(status, 200, text);
    const changes = await desired(equipment);
    assert.deepEqual(changes, [
      { v: 1, kind: 'posting', posting: `sund-B${equipment.bankId}-X${posting!.posting_id + 1}`, reverses: 'A-1' },
    ]);
    assert.deepEqual(await desired(other), []);
  });

  test('a device that has missed the end of a key sees it by the digest, even when nothing stored names the key', async () => {
    const equipment = await createEquipment(suite);
    const { digests } = await readSnapshot(service, equipment.key);
    await command(equipment, 'Delete', 1);
    suite.clock.now += 400 * dayMs;
    const { now } = suite.clock;
    const { erased } = await anonymiseResidents(service.dependencies.databases.forTenant('sund'), {
      bank: grantBank(equipment.bankId),
      rule: createExpiryRule({ retentionSetting: '30', expiresAllDeleted: true }, now),
      isDryRun: false,
      clock: () => now,
      deadlineMs: 60_000,
    });
    assert.equal(erased, 1);
    assert.deepEqual(await desired(equipment), []);
    const { json } = await equipment.send('samples', [], { digests });
    assert.deepEqual(json.resync, ['keys']);
    const { things } = await readSnapshot(service, equipment.key);
    assert.deepEqual(
      things.filter(({ key }) => key === tagOf(equipment.bankId)),
      [],
    );
  });

  test('hours are one thing of a unit, and each of its days is synced when the device has them', async () => {
    const equipment = await createEquipment(suite);
    await putSetting(equipment, 'OpeningMonday', '07:00-22:00');
    await putSetting(equipment, 'OpeningTuesday', 'closed');
    const changes = await desired(equipment);
    assert.deepEqual(changes, [
      {
        v: 2,
        kind: 'hours',
        unit: equipment.unit('1-1'),
        weekly: ['07:00-22:00', 'closed', null, null, null, null, null],
        exceptions: [],
        timeZone: 'Europe/Copenhagen',
      },
    ]);
    assert.deepEqual(await statesOf(equipment), ['sent', 'sent']);
    assert.equal(await isSynced(equipment, 'OpeningHours', 'OpeningMonday'), false);
    await apply(equipment, [{ v: 2 }]);
    assert.deepEqual(await statesOf(equipment), ['acknowledged', 'acknowledged']);
    assert.equal(await isSynced(equipment, 'OpeningHours', 'OpeningMonday'), true);
  });

  test('hours that are taken back are told, and stand in the snapshot as not known', async () => {
    const equipment = await createEquipment(suite);
    await putSetting(equipment, 'OpeningMonday', '07:00-22:00');
    await putSetting(equipment, 'OpeningMonday', null);
    const [hours] = await desired(equipment);
    assert.deepEqual(
      hours?.['weekly'],
      Array.from({ length: 7 }, () => null),
    );
    const { things } = await readSnapshot(service, equipment.key);
    assert.equal(things.filter(({ kind }) => kind === 'hours').length, 1);
  });

  test('a key that was removed, and those of a resident who is disabled or deleted, end at the device', async () => {
    const equipment = await createEquipment(suite);
    const tag = tagOf(equipment.bankId);
    const added = `${tag}FF`;
    await command(equipment, 'AddKey', 1, added);
    const keysOf = (changes: readonly Change[]) => changes.map(({ key, removed = false }) => [key, removed] as const);
    assert.deepEqual(keysOf(await desired(equipment)), [
      [tag, false],
      [added, false],
    ]);
    await command(equipment, 'RemoveKey', 2, added);
    assert.deepEqual(
      new Map(keysOf(await desired(equipment, 1))),
      new Map([
        [tag, false],
        [added, true],
      ]),
    );
    await command(equipment, 'Disable', 3);
    assert.deepEqual(keysOf(await desired(equipment, 2)), [[tag, true]]);
    await command(equipment, 'Enable', 4);
    assert.deepEqual(keysOf(await desired(equipment, 3)), [[tag, false]]);
    await command(equipment, 'Delete', 5);
    assert.deepEqual(keysOf(await desired(equipment, 4)), [[tag, true]]);
    const { things } = await readSnapshot(service, equipment.key);
    assert.equal(
      things.some(({ key }) => key === tag),
      false,
    );
  });

  test('an entry of a key names the units of the computer alone, and nobody by name', async () => {
    const equipment = await createEquipment(suite);
    await command(equipment, 'SetApartment', 1, '2 tv');
    const [key] = await desired(equipment);
    assert.deepEqual(key, {
      v: 1,
      kind: 'key',
      key: tagOf(equipment.bankId),
      residentKid: `sund-B${equipment.bankId}-R1001`,
      units: [equipment.unit('1-1'), equipment.unit('1-2')],
      until: null,
    });
  });

  test('a computer is told nothing of the units of other computers and banks', async () => {
    const equipment = await createEquipment(suite);
    const other = await createEquipment(suite, { bankId: equipment.bankId, computerId: 2, isNewBank: false });
    const stranger = await createEquipment(suite);
    await putSetting(equipment, 'MaxTemperature', 60);
    assert.deepEqual(await desired(other), []);
    assert.deepEqual(await desired(stranger), []);
    assert.deepEqual(await statesOf(equipment), ['queued']);
    const { things } = await readSnapshot(service, other.key);
    assert.deepEqual(
      things.filter(({ kind }) => kind === 'setting'),
      [],
    );
  });

  test('a version that the outbox does not have is answered with resync', async () => {
    const equipment = await createEquipment(suite);
    const { status, json } = await readDesired(service, equipment.key, 1);
    assert.deepEqual([status, json.code], [410, 'resync']);
    await service.write('sund', (db) =>
      db.updateTable('computers').set({ desired_from: 1 }).where('bank_id', '=', equipment.bankId).execute(),
    );
    await putSetting(equipment, 'MaxTemperature', 60);
    assert.equal((await readDesired(service, equipment.key, 0)).status, 410);
    assert.equal((await readDesired(service, equipment.key, 1)).status, 200);
  });

  test('a snapshot that was applied acknowledges everything of the computer up to its version', async () => {
    const equipment = await createEquipment(suite);
    await putSetting(equipment, 'MaxTemperature', 60);
    await command(equipment, 'Disable', 1);
    const { version } = await readSnapshot(service, equipment.key);
    await putSetting(equipment, 'MaxTemperature', 90);
    await apply(equipment, [{ snapshot: version }]);
    assert.deepEqual(await statesOf(equipment), ['acknowledged', 'acknowledged', 'queued']);
  });

  test('a digest that differs is named, and equal ones are not', async () => {
    const equipment = await createEquipment(suite);
    await putSetting(equipment, 'MaxTemperature', 60);
    const { digests, version } = await readSnapshot(service, equipment.key);
    const equal = await equipment.send('samples', [{ t: 'applied', at, snapshot: version, ok: true }], { digests });
    assert.equal(equal.json.resync, undefined);
    const drifted = await equipment.send('samples', [], { first: 2, digests: { ...digests, keys: '0'.repeat(16) } });
    assert.deepEqual(drifted.json.resync, ['keys']);
    const state = await service.read('sund', (db) =>
      db
        .selectFrom('computer_states')
        .select('digests_equal')
        .where('bank_id', '=', equipment.bankId)
        .executeTakeFirstOrThrow(),
    );
    assert.equal(state.digests_equal, 0);
  });

  test('[inflow.02] digests that are older than a change are not compared while the change is on its way', async () => {
    const equipment = await createEquipment(suite);
    await putSetting(equipment, 'MaxTemperature', 60);
    const { digests, version } = await readSnapshot(service, equipment.key);
    let first = 1;
    const send = async (line: Record<string, unknown> = { t: 'alive' }) => {
      const { json } = await equipment.send('samples', [{ at, ...line }], { first, digests });
      first += 1;
      return json.resync;
    };
    const readEqual = async () => {
      const { json } = await service.call('GET', `/api/v1/computers/sund-B${equipment.bankId}-C1`, manager);
      return json.digestsEqual;
    };
    assert.equal(await send({ t: 'applied', snapshot: version, ok: true }), undefined);
    assert.equal(await readEqual(), true);
    await putSetting(equipment, 'MaxTemperature', 90);
    assert.equal(await send(), undefined, 'nobody was told yet');
    const [change] = await desired(equipment, version);
    assert.equal(await send(), undefined, 'it was told, and may be applying it');
    assert.equal(await readEqual(), true, 'what was not compared changes nothing');
    assert.deepEqual(await send({ t: 'applied', v: change?.v, ok: true }), ['settings'], 'it says that it has it');
    assert.equal(await readEqual(), false);
  });

  test('[inflow.02] a computer that confirms nothing is compared a quarter of an hour after the change', async () => {
    const equipment = await createEquipment(suite);
    const { digests, version } = await readSnapshot(service, equipment.key);
    await putSetting(equipment, 'MaxTemperature', 60);
    await desired(equipment, version);
    const sendDigests = async () => {
      const { status, json, text } = await equipment.send('samples', [], { digests });
      assert.equal(status, 200, text);
      return json.resync;
    };
    assert.equal(await sendDigests(), undefined);
    // The change has the time at which it was told, to which the test itself adds some milliseconds.
    suite.clock.now += 1_000_000;
    assert.deepEqual(await sendDigests(), ['settings']);
  });

  test('[inflow.02] a change that means nothing to devices, or of another computer, keeps nothing from being compared', async () => {
    const equipment = await createEquipment(suite);
    const other = await createEquipment(suite, { bankId: equipment.bankId, computerId: 2, isNewBank: false });
    const { digests, version } = await readSnapshot(service, other.key);
    await putSetting(equipment, 'MaxTemperature', 60);
    assert.deepEqual(await desired(other, version), []);
    const { json } = await other.send('samples', [], { digests: { ...digests, keys: '0'.repeat(16) } });
    assert.deepEqual(json.resync, ['keys']);
  });
});
