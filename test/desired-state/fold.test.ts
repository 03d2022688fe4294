// The changes that a computer has applied, one after another, are what its snapshot says, and have the same digests.

import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { test } from 'node:test';
import { applyThings, follow, listLasting, readDesired, readSnapshot, type DeviceMemory } from '../support/desired.ts';
import { computeDigests, type DesiredThing } from '../../src/features/desired-state/rules/desired-thing.ts';
import { commandPath, insertBooking, replaceUnitSettings } from '../support/bookings.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { createEquipment, type TestEquipment } from '../support/streams.ts';
import { executeUserCommand } from '../support/resident-calls.ts';
import { dayMs, hourMs, testNow } from '../support/times.ts';

type Step =
  | { readonly kind: 'setting'; readonly unitId: number; readonly name: string; readonly value: unknown }
  | { readonly kind: 'resident'; readonly residentId: number; readonly command: string; readonly key: number }
  | { readonly kind: 'booking'; readonly hour: number }
  | { readonly kind: 'follow' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('setting' as const),
    unitId: fc.constantFrom(1, 2),
    name: fc.constant('MaxTemperature'),
    value: fc.constantFrom(40, 60, 90),
  }),
  fc.record({
    kind: fc.constant('setting' as const),
    unitId: fc.constantFrom(1, 2),
    name: fc.constantFrom('OpeningMonday', 'OpeningSunday'),
    value: fc.constantFrom('07:00-22:00', 'closed', null),
  }),
  fc.record({
    kind: fc.constant('resident' as const),
    residentId: fc.constantFrom(1001, 1002),
    command: fc.constantFrom('AddKey', 'RemoveKey', 'Disable', 'Enable', 'Delete', 'Restore', 'SetApartment'),
    key: fc.constantFrom(1, 2, 3),
  }),
  fc.record({ kind: fc.constant('booking' as const), hour: fc.integer({ min: 1, max: 6 }) }),
  fc.constant({ kind: 'follow' as const }),
);

serviceSuite({ now: testNow }, (suite) => {
  const { service, manager, clock } = suite;
  const changeSetting = async (equipment: TestEquipment, { unitId, name, value }: Step & { kind: 'setting' }) => {
    const row = await service.read('sund', (db) =>
      db
        .selectFrom('unit_settings')
        .select('version')
        .where('bank_id', '=', equipment.bankId)
        .where('unit_id', '=', unitId)
        .where('location_id', '=', 1)
        .where('name', '=', name)
        .executeTakeFirst(),
    );
    const { status, text } = await service.call(
      'PUT',
      `/api/v1/units/${equipment.unit(`1-${unitId}`)}/settings/${name}`,
      { token: manager.token, body: { value, expectedRevision: String(row?.version ?? 0) } },
    );
    assert.equal(status, 200, text);
  };
  /** A command that does not fit the resident is refused, and changes nothing. */
  const changeResident = async (
    { bankId }: TestEquipment,
    { residentId, command, key }: Step & { kind: 'resident' },
  ) => {
    const row = await service.read('sund', (db) =>
      db
        .selectFrom('residents')
        .select('revision')
        .where('bank_id', '=', bankId)
        .where('resident_id', '=', residentId)
        .executeTakeFirstOrThrow(),
    );
    const value = command === 'SetApartment' ? { value: `${clock.now % 1000} th` } : { value: `${bankId}FF${key}` };
    const { status } = await executeUserCommand(
      service,
      residentId,
      { command, expectedRevision: String(row.revision), ...(/Key|Apartment/.test(command) ? value : {}) },
      { bankId, token: manager.token },
    );
    assert.ok(status < 500);
  };
  /** Books an hour, and cancels what is booked there. */
  const changeBooking = async ({ bankId }: TestEquipment, { hour }: Step & { kind: 'booking' }) => {
    const startAt = testNow + dayMs + hour * hourMs - (testNow % hourMs);
    const booked = await service.read('sund', (db) =>
      db
        .selectFrom('bookings')
        .select(['event_id', 'state'])
        .where('bank_id', '=', bankId)
        .where('start_at', '=', startAt)
        .executeTakeFirst(),
    );
    if (booked === undefined) {
      await insertBooking(service, { startAt }, bankId);
      return;
    }
    const command = booked.state === 'Booked' ? 'Cancel' : 'Restore';
    const { status } = await service.call('POST', commandPath(booked.event_id, command, bankId), {
      token: manager.token,
      body: {},
    });
    assert.ok(status < 500);
  };
  const run = async (equipment: TestEquipment, each: Step): Promise<void> => {
    if (each.kind === 'setting') await changeSetting(equipment, each);
    if (each.kind === 'resident') await changeResident(equipment, each);
    if (each.kind === 'booking') await changeBooking(equipment, each);
  };
  /** What was booked without the outbox, as by another program, is not told: a snapshot begins each memory. */
  const begin = async (equipment: TestEquipment): Promise<{ memory: DeviceMemory; version: number }> => {
    const bookable = { bankId: equipment.bankId, locationId: 1, unitId: 1 };
    await replaceUnitSettings(service, { Bookable: 'true' }, bookable);
    const memory: DeviceMemory = new Map();
    const { things, version } = await readSnapshot(service, equipment.key);
    applyThings(memory, things);
    return { memory, version };
  };
  const assertEqual = async (equipment: TestEquipment, memory: DeviceMemory) => {
    const snapshot = await readSnapshot(service, equipment.key);
    const own: DeviceMemory = new Map();
    applyThings(own, snapshot.things);
    assert.deepEqual(listLasting(memory), listLasting(own));
    const things = [...memory.values()] as unknown as DesiredThing[];
    assert.deepEqual({ ...computeDigests(things, testNow) }, snapshot.digests);
  };

  test('whatever is changed and whenever it is read, the fold of all changes is the snapshot', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
        const equipment = await createEquipment(suite);
        for (let hour = 1; hour <= 6; hour += 1) await run(equipment, { kind: 'booking', hour });
        let { memory, version } = await begin(equipment);
        for (const each of steps) {
          // What exists is changed; what is inserted by the test alone is not told.
          await run(equipment, each);
          if (each.kind === 'follow') version = await follow(service, equipment.key, memory, version);
        }
        await follow(service, equipment.key, memory, version);
        await assertEqual(equipment, memory);
      }),
      { numRuns: 40 },
    );
  });

  test('a computer that was away for 30 days gets everything in one exchange, and has equal digests', async () => {
    const equipment = await createEquipment(suite);
    const { memory, version } = await begin(equipment);
    for (let day = 0; day < 30; day += 1) {
      await run(equipment, {
        kind: 'setting',
        unitId: 1 + (day % 2),
        name: 'MaxTemperature',
        value: 40 + (day % 6) * 10,
      });
      await run(equipment, {
        kind: 'resident',
        residentId: 1001,
        command: day % 2 === 0 ? 'AddKey' : 'RemoveKey',
        key: 1,
      });
      clock.now += dayMs;
    }
    const { status, json } = await readDesired(service, equipment.key, version);
    assert.deepEqual([status, json.more], [200, false]);
    applyThings(memory, json.changes);
    await assertEqual(equipment, memory);
    const states = await service.read('sund', (db) =>
      db
        .selectFrom('device_sync')
        .select('state')
        .where('bank_id', '=', equipment.bankId)
        .where('subject_kind', '=', 'setting')
        .execute(),
    );
    assert.deepEqual(states.filter(({ state }) => state === 'sent').length, 2);
    assert.ok(states.every(({ state }) => state === 'sent' || state === 'superseded'));
  });
});
