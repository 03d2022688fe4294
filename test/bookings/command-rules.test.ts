// What forbids a command: the state of the booking, the rules of its unit, and the state of its place and resident. A
// refusal changes nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unitTypeCode } from '../../src/features/places/rules/unit-types.ts';
import { reasonsOfCode } from '../../src/lib/problem.ts';
import { bookingCommandSuite, laundrySettings, limitedResidents } from '../support/booking-command-suite.ts';
import {
  cancelledAnHourAgo,
  updateBookableUnit,
  checkCommand,
  executeCommand,
  replaceUnitSettings,
} from '../support/bookings.ts';
import { dayMs, hourMs, minuteMs } from '../support/times.ts';
import { instantOf } from '../support/account-oracle.ts';

bookingCommandSuite(({ service, manager, clock, testDay, defaultStart, bookOne, assertRefused, metReasons }) => {
  test('[bookings.14] a command on a booking that is over is 422 booking-ended, to the millisecond, whatever its state', async () => {
    const startAt = testDay() + 30 * minuteMs;
    const booked = await bookOne({ startAt });
    const gone = await bookOne({ startAt, unitId: 2, cancelled: cancelledAnHourAgo });
    clock.now = startAt + hourMs;
    for (const event of [booked, gone])
      for (const command of ['Cancel', 'Restore']) await assertRefused(event, command, 422, 'booking-ended');
    clock.now -= 1;
    assert.equal((await executeCommand(service, booked, 'Cancel', manager)).status, 200);
    assert.equal((await executeCommand(service, gone, 'Restore', manager)).status, 200);
  });

  test('[bookings.15] a command that does not fit the state is 422 with the reason', async () => {
    await assertRefused(await bookOne(), 'Restore', 422, 'booking-not-allowed', 'not-cancelled');
    await assertRefused(
      await bookOne({ startAt: defaultStart() + dayMs, cancelled: cancelledAnHourAgo }),
      'Cancel',
      422,
      'booking-not-allowed',
      'not-booked',
    );
  });

  const rules: [code: string, command: string, settings: Record<string, string>, after?: number][] = [
    ['cancel-deadline', 'Cancel', { BookingCancelDeadline: '1470' }, 1],
    ['notice', 'Restore', { BookingNotice: '1470' }, 1],
    ['horizon', 'Restore', { BookingHorizon: '0' }],
    ['not-bookable', 'Restore', { Bookable: 'false' }],
  ];

  for (const [code, command, settings, later = 0] of rules)
    test(`[bookings.15] the unit’s rule ${code} refuses ${command} with 422 and its code, exactly up to its limit`, async () => {
      const event = await bookOne(command === 'Restore' ? { cancelled: cancelledAnHourAgo } : {});
      await replaceUnitSettings(service, { ...laundrySettings, ...settings });
      clock.now = testDay() + later;
      await assertRefused(event, command, 422, 'booking-not-allowed', code);
      clock.now = later > 0 ? testDay() : testDay() + dayMs;
      if (code === 'not-bookable') await replaceUnitSettings(service, laundrySettings);
      assert.equal((await executeCommand(service, event, command, manager)).status, 200);
    });

  const limits = [
    ['max-open', 'BookingMaxOpen'],
    ['max-per-day', 'BookingMaxPerDay'],
    ['max-per-week', 'BookingMaxPerWeek'],
    ['max-per-month', 'BookingMaxPerMonth'],
  ] as const;

  for (const [at, [code, setting]] of limits.entries())
    test(`[bookings.15] a resident’s ${code} is counted over the units of the calendar in the location`, async () => {
      // Residents and months that no other test uses.
      const residentId = limitedResidents[at] ?? assert.fail();
      const startAt = testDay() + (at + 2) * 70 * dayMs;
      clock.now = startAt - dayMs;
      const candidate = await bookOne({ residentId, startAt, cancelled: cancelledAnHourAgo });
      await replaceUnitSettings(service, { ...laundrySettings, [setting]: '2' });
      await replaceUnitSettings(service, { ...laundrySettings, BookingCalendar: 'Other' }, { unitId: 2 });
      await bookOne({ residentId, startAt: startAt + hourMs });
      // Of another resident, another calendar, another location, and cancelled.
      await bookOne({ residentId: 1002, startAt: startAt + 2 * hourMs });
      await bookOne({ residentId, unitId: 2, startAt: startAt + 2 * hourMs });
      await bookOne({ residentId, locationId: 2, startAt: startAt + 2 * hourMs });
      await bookOne({ residentId, startAt: startAt + 4 * hourMs, cancelled: cancelledAnHourAgo });
      assert.equal((await checkCommand(service, candidate, 'Restore', manager)).json.allowed, true);
      await replaceUnitSettings(service, laundrySettings, { unitId: 2 });
      await assertRefused(candidate, 'Restore', 422, 'booking-not-allowed', code);
      await replaceUnitSettings(service, { ...laundrySettings, [setting]: '3' });
      assert.equal((await executeCommand(service, candidate, 'Restore', manager)).status, 200);
    });

  test('[bookings.15] every booking that is ahead counts as open, however far ahead the one to be restored lies', async () => {
    await replaceUnitSettings(service, { ...laundrySettings, BookingMaxOpen: '1' });
    // A resident and a time that no other test uses.
    const residentId = limitedResidents[0];
    clock.now = testDay() + 1000 * dayMs;
    await bookOne({ residentId, startAt: clock.now + dayMs });
    for (const ahead of [2, 30, 39, 60, 300]) {
      const event = await bookOne({ residentId, startAt: clock.now + ahead * dayMs, cancelled: cancelledAnHourAgo });
      await assertRefused(event, 'Restore', 422, 'booking-not-allowed', 'max-open');
    }
  });

  test('a booking of a deleted resident can be cancelled but not restored; a guest is never deleted', async () => {
    const set = (change: { deleted_at?: number | null; expired_at?: number | null; enabled?: number }) =>
      service.write('sund', (db) =>
        db.updateTable('residents').set(change).where('bank_id', '=', 1001).where('resident_id', '=', 1002).execute(),
      );
    const theirs = (at: number, residentId: number, change = {}) =>
      bookOne({ startAt: defaultStart() + at * hourMs, residentId, ...change });
    const [booked, gone] = [await theirs(0, 1002), await theirs(1, 1002, { cancelled: cancelledAnHourAgo })];
    for (const change of [{ deleted_at: 1 }, { deleted_at: null, expired_at: testDay() }]) {
      await set(change);
      await assertRefused(gone, 'Restore', 422, 'booking-not-allowed', 'resident-gone');
    }
    assert.equal((await executeCommand(service, booked, 'Cancel', manager)).status, 200);
    await set({ expired_at: testDay() + 1, enabled: 0 });
    assert.equal((await executeCommand(service, gone, 'Restore', manager)).status, 200);
    await set({ expired_at: null, enabled: 1 });
    for (const [at, residentId] of [
      [2, 4242],
      [3, 0],
    ] as const)
      await assertRefused(
        await theirs(at, residentId, { cancelled: cancelledAnHourAgo }),
        'Restore',
        422,
        'booking-not-allowed',
        'resident-gone',
      );
    const guests = await theirs(4, 1000, { cancelled: cancelledAnHourAgo });
    assert.equal((await executeCommand(service, guests, 'Restore', manager)).status, 200);
  });

  test('a booking in a disabled location or bank can be cancelled but not restored', async () => {
    for (const [at, table] of (['locations', 'banks'] as const).entries()) {
      const enable = (enabled: number) =>
        service.write('sund', (db) => db.updateTable(table).set({ enabled }).where('bank_id', '=', 1001).execute());
      const startAt = defaultStart() + 2 * at * hourMs;
      const booked = await bookOne({ startAt });
      const gone = await bookOne({ startAt: startAt + hourMs, cancelled: cancelledAnHourAgo });
      await enable(0);
      await assertRefused(gone, 'Restore', 422, 'booking-not-allowed', 'place-disabled');
      assert.equal((await executeCommand(service, booked, 'Cancel', manager)).status, 200);
      await enable(1);
      assert.equal((await executeCommand(service, gone, 'Restore', manager)).status, 200);
    }
  });

  test('[bookings.15] rules that a unit had under another type no longer count', async () => {
    const turnInto = (unit_type: number, packed_type: number | null = null) =>
      service.write('sund', (db) =>
        db.updateTable('units').set({ unit_type, packed_type }).where('bank_id', '=', 1001).execute(),
      );
    await replaceUnitSettings(service, { ...laundrySettings, BookingCancelDeadline: '20000' });
    const [booked, gone] = [
      await bookOne(),
      await bookOne({ startAt: defaultStart() + hourMs, cancelled: cancelledAnHourAgo }),
    ];
    await assertRefused(booked, 'Cancel', 422, 'booking-not-allowed', 'cancel-deadline');
    const context = unitTypeCode('door');
    for (const [type, packed] of [
      [context, null],
      [0, (context << 1) | 1],
      [0, null],
    ] as const) {
      await turnInto(type, packed);
      await assertRefused(gone, 'Restore', 422, 'booking-not-allowed', 'not-bookable');
      assert.deepEqual((await checkCommand(service, booked, 'Cancel', manager)).json.codes, []);
    }
    await turnInto(unitTypeCode('washer'));
    assert.equal((await executeCommand(service, gone, 'Restore', manager)).status, 200);
  });

  test('[bookings.15] a location’s days are counted in its stored time zone, and in the tenant’s if the stored name is not valid', async () => {
    await replaceUnitSettings(service, { ...laundrySettings, BookingHorizon: '1' });
    // Local midnight is at 22:00 UTC in Copenhagen, and at 23:00 in London.
    const midnight = Math.floor(testDay() / dayMs) * dayMs + dayMs - 2 * hourMs;
    const event = await bookOne({ startAt: midnight + dayMs, cancelled: cancelledAnHourAgo });
    const call = `/api/v1/banks/sund-B1001/bookings?through=${instantOf(testDay() + 3 * dayMs)
      .toString()
      .slice(0, 10)}`;
    const [copenhagen, london] = ['Europe/Copenhagen', 'Europe/London'];
    for (const [stored, opens, zone] of [
      ['Europe/Copenhagen', midnight, copenhagen],
      ['Romance Standard Time', midnight, copenhagen],
      ['Europe/London', midnight - 23 * hourMs, london],
      ['GMT Standard Time', midnight - 23 * hourMs, london],
      ['Nowhere/At All', midnight, copenhagen],
      ['', midnight, copenhagen],
      ['+02:00', midnight, copenhagen],
    ] as const) {
      await service.write('sund', (db) => db.updateTable('locations').set({ time_zone: stored }).execute());
      for (const [at, allowed] of [
        [opens - 1, false],
        [opens, true],
      ] as const) {
        clock.now = at;
        const told = await checkCommand(service, event, 'Restore', manager);
        assert.deepEqual([told.status, told.json.allowed], [200, allowed], stored);
        const listed = await service.call('GET', call, manager);
        assert.equal(listed.status, 200, stored);
        assert.ok(
          listed.json.items.every(({ timeZone }: { timeZone: string }) => timeZone === zone),
          stored,
        );
      }
    }
    await service.write('sund', (db) => db.updateTable('locations').set({ time_zone: 'Europe/Copenhagen' }).execute());
  });

  test('a booking of a disabled unit can be cancelled but not restored; a booking of a deleted unit cannot change', async () => {
    const [booked, gone] = [
      await bookOne(),
      await bookOne({ startAt: defaultStart() + hourMs, cancelled: cancelledAnHourAgo }),
    ];
    await updateBookableUnit(service, { enabled: 0 });
    await assertRefused(gone, 'Restore', 422, 'booking-not-allowed', 'unit-disabled');
    await updateBookableUnit(service, { deleted_at: testDay() });
    await assertRefused(gone, 'Restore', 422, 'booking-not-allowed', 'unit-deleted');
    await assertRefused(booked, 'Cancel', 422, 'booking-not-allowed', 'unit-deleted');
    await updateBookableUnit(service, { deleted_at: null });
    assert.equal((await executeCommand(service, booked, 'Cancel', manager)).status, 200);
    await updateBookableUnit(service, { enabled: 1 });
  });

  test('[general.29] the tests cover every reason in the catalogue for a refusal', () => {
    assert.deepEqual(metReasons, new Set(reasonsOfCode('booking-not-allowed')));
  });
});
