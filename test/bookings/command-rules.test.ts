// What speaks against a command: the state of the booking, the rules of its unit, and what has become of its place and its
// resident. Each refusal changes nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unitTypeCode } from '../../src/features/places/rules/unit-types.ts';
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
import { onBothEngines } from '../support/service.ts';

onBothEngines((engine) => {
  const days = bookingCommandSuite(engine);

  test(`[bookings.14] a command on a booking that is over is 422 booking-ended, to the millisecond, whatever its state (${engine})`, async () => {
    const startAt = days.day + 30 * minuteMs;
    const booked = await days.bookOne({ startAt });
    const gone = await days.bookOne({ startAt, unitId: 2, cancelled: cancelledAnHourAgo });
    days.clock = startAt + hourMs;
    for (const event of [booked, gone])
      for (const command of ['Cancel', 'Restore']) await days.assertRefused(event, command, 422, 'booking-ended');
    days.clock -= 1;
    assert.equal((await executeCommand(days.service, booked, 'Cancel', { token: days.token })).status, 200);
    assert.equal((await executeCommand(days.service, gone, 'Restore', { token: days.token })).status, 200);
  });

  test(`[bookings.15] a command that does not fit the state is 422 with the reason (${engine})`, async () => {
    await days.assertRefused(await days.bookOne(), 'Restore', 422, 'booking-not-allowed', 'not-cancelled');
    await days.assertRefused(
      await days.bookOne({ startAt: days.defaultStart() + dayMs, cancelled: cancelledAnHourAgo }),
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
    test(`[bookings.15] the unit’s rule ${code} refuses ${command} with 422 and its code, exactly as far as it goes (${engine})`, async () => {
      const event = await days.bookOne(command === 'Restore' ? { cancelled: cancelledAnHourAgo } : {});
      await replaceUnitSettings(days.service, { ...laundrySettings, ...settings });
      days.clock = days.day + later;
      await days.assertRefused(event, command, 422, 'booking-not-allowed', code);
      days.clock = later > 0 ? days.day : days.day + dayMs;
      if (code === 'not-bookable') await replaceUnitSettings(days.service, laundrySettings);
      assert.equal((await executeCommand(days.service, event, command, { token: days.token })).status, 200);
    });

  const limits = [
    ['max-open', 'BookingMaxOpen'],
    ['max-per-day', 'BookingMaxPerDay'],
    ['max-per-week', 'BookingMaxPerWeek'],
    ['max-per-month', 'BookingMaxPerMonth'],
  ] as const;

  for (const [at, [code, setting]] of limits.entries())
    test(`[bookings.15] a resident’s ${code} is counted over the units of the calendar in the location (${engine})`, async () => {
      // Residents and months that no other test counts.
      const userId = limitedResidents[at] ?? assert.fail();
      const startAt = days.day + (at + 2) * 70 * dayMs;
      days.clock = startAt - dayMs;
      const candidate = await days.bookOne({ userId, startAt, cancelled: cancelledAnHourAgo });
      await replaceUnitSettings(days.service, { ...laundrySettings, [setting]: '2' });
      await replaceUnitSettings(days.service, { ...laundrySettings, BookingCalendar: 'Other' }, { unitId: 2 });
      await days.bookOne({ userId, startAt: startAt + hourMs });
      // Of another resident, another calendar, another location, and cancelled.
      await days.bookOne({ userId: 1002, startAt: startAt + 2 * hourMs });
      await days.bookOne({ userId, unitId: 2, startAt: startAt + 2 * hourMs });
      await days.bookOne({ userId, locationId: 2, startAt: startAt + 2 * hourMs });
      await days.bookOne({ userId, startAt: startAt + 4 * hourMs, cancelled: cancelledAnHourAgo });
      assert.equal((await checkCommand(days.service, candidate, 'Restore', { token: days.token })).json.allowed, true);
      await replaceUnitSettings(days.service, laundrySettings, { unitId: 2 });
      await days.assertRefused(candidate, 'Restore', 422, 'booking-not-allowed', code);
      await replaceUnitSettings(days.service, { ...laundrySettings, [setting]: '3' });
      assert.equal((await executeCommand(days.service, candidate, 'Restore', { token: days.token })).status, 200);
    });

  test(`[bookings.15] every booking that is ahead counts as open, however far ahead the one to be restored lies (${engine})`, async () => {
    await replaceUnitSettings(days.service, { ...laundrySettings, BookingMaxOpen: '1' });
    // A resident and a time that no other test counts.
    const userId = limitedResidents[0];
    days.clock = days.day + 1000 * dayMs;
    await days.bookOne({ userId, startAt: days.clock + dayMs });
    for (const ahead of [2, 30, 39, 60, 300]) {
      const event = await days.bookOne({ userId, startAt: days.clock + ahead * dayMs, cancelled: cancelledAnHourAgo });
      await days.assertRefused(event, 'Restore', 422, 'booking-not-allowed', 'max-open');
    }
  });

  test(`nothing is booked again for a resident who is gone, though it can be cancelled; a guest is never gone (${engine})`, async () => {
    const { service, token } = days;
    const set = (change: { deleted_at?: number | null; expired_at?: number | null; enabled?: number }) =>
      service.write('sund', (db) =>
        db.updateTable('residents').set(change).where('bank_id', '=', 1001).where('resident_id', '=', 1002).execute(),
      );
    const theirs = (at: number, userId: number, change = {}) =>
      days.bookOne({ startAt: days.defaultStart() + at * hourMs, userId, ...change });
    const [booked, gone] = [await theirs(0, 1002), await theirs(1, 1002, { cancelled: cancelledAnHourAgo })];
    for (const change of [{ deleted_at: 1 }, { deleted_at: null, expired_at: days.day }]) {
      await set(change);
      await days.assertRefused(gone, 'Restore', 422, 'booking-not-allowed', 'resident-gone');
    }
    assert.equal((await executeCommand(service, booked, 'Cancel', { token })).status, 200);
    await set({ expired_at: days.day + 1, enabled: 0 });
    assert.equal((await executeCommand(service, gone, 'Restore', { token })).status, 200);
    await set({ expired_at: null, enabled: 1 });
    for (const [at, userId] of [
      [2, 4242],
      [3, 0],
    ] as const)
      await days.assertRefused(
        await theirs(at, userId, { cancelled: cancelledAnHourAgo }),
        'Restore',
        422,
        'booking-not-allowed',
        'resident-gone',
      );
    const guests = await theirs(4, 1000, { cancelled: cancelledAnHourAgo });
    assert.equal((await executeCommand(service, guests, 'Restore', { token })).status, 200);
  });

  test(`nothing is booked again in a location or a bank that is out of use, though it can be cancelled (${engine})`, async () => {
    const { service, token } = days;
    for (const [at, table] of (['locations', 'banks'] as const).entries()) {
      const enable = (enabled: number) =>
        service.write('sund', (db) => db.updateTable(table).set({ enabled }).where('bank_id', '=', 1001).execute());
      const startAt = days.defaultStart() + 2 * at * hourMs;
      const booked = await days.bookOne({ startAt });
      const gone = await days.bookOne({ startAt: startAt + hourMs, cancelled: cancelledAnHourAgo });
      await enable(0);
      await days.assertRefused(gone, 'Restore', 422, 'booking-not-allowed', 'place-disabled');
      assert.equal((await executeCommand(service, booked, 'Cancel', { token })).status, 200);
      await enable(1);
      assert.equal((await executeCommand(service, gone, 'Restore', { token })).status, 200);
    }
  });

  test(`[bookings.15] rules that a unit was given as another type count no more (${engine})`, async () => {
    const { service, token } = days;
    const turnInto = (unit_type: number, packed_type: number | null = null) =>
      service.write('sund', (db) =>
        db.updateTable('units').set({ unit_type, packed_type }).where('bank_id', '=', 1001).execute(),
      );
    await replaceUnitSettings(service, { ...laundrySettings, BookingCancelDeadline: '20000' });
    const [booked, gone] = [
      await days.bookOne(),
      await days.bookOne({ startAt: days.defaultStart() + hourMs, cancelled: cancelledAnHourAgo }),
    ];
    await days.assertRefused(booked, 'Cancel', 422, 'booking-not-allowed', 'cancel-deadline');
    const context = unitTypeCode('door');
    for (const [type, packed] of [
      [context, null],
      [0, (context << 1) | 1],
      [0, null],
    ] as const) {
      await turnInto(type, packed);
      await days.assertRefused(gone, 'Restore', 422, 'booking-not-allowed', 'not-bookable');
      assert.deepEqual((await checkCommand(service, booked, 'Cancel', { token })).json.codes, []);
    }
    await turnInto(unitTypeCode('washer'));
    assert.equal((await executeCommand(service, gone, 'Restore', { token })).status, 200);
  });

  test(`[bookings.15] a location’s days are counted by the zone that its stored name means, and by the tenant’s where it means none (${engine})`, async () => {
    const { service, token } = days;
    await replaceUnitSettings(service, { ...laundrySettings, BookingHorizon: '1' });
    // Local midnight is at 22:00 UTC in Copenhagen, and at 23:00 in London.
    const midnight = Math.floor(days.day / dayMs) * dayMs + dayMs - 2 * hourMs;
    const event = await days.bookOne({ startAt: midnight + dayMs, cancelled: cancelledAnHourAgo });
    const call = `/api/v1/banks/sund-B1001/bookings?through=${instantOf(days.day + 3 * dayMs)
      .toString()
      .slice(0, 10)}`;
    for (const [stored, opens] of [
      ['Europe/Copenhagen', midnight],
      ['Romance Standard Time', midnight],
      ['Europe/London', midnight - 23 * hourMs],
      ['GMT Standard Time', midnight - 23 * hourMs],
      ['Nowhere/At All', midnight],
      ['', midnight],
      ['+02:00', midnight],
    ] as const) {
      await service.write('sund', (db) => db.updateTable('locations').set({ time_zone: stored }).execute());
      for (const [at, allowed] of [
        [opens - 1, false],
        [opens, true],
      ] as const) {
        days.clock = at;
        const told = await checkCommand(service, event, 'Restore', { token });
        assert.deepEqual([told.status, told.json.allowed], [200, allowed], stored);
        const listed = await service.call('GET', call, { token });
        assert.equal(listed.status, 200, stored);
      }
    }
    await service.write('sund', (db) => db.updateTable('locations').set({ time_zone: 'Europe/Copenhagen' }).execute());
  });

  test(`a unit that is out of use takes no booking back but can be cleared of one; nothing is done to one that is deleted (${engine})`, async () => {
    const [booked, gone] = [
      await days.bookOne(),
      await days.bookOne({ startAt: days.defaultStart() + hourMs, cancelled: cancelledAnHourAgo }),
    ];
    await updateBookableUnit(days.service, { enabled: 0 });
    await days.assertRefused(gone, 'Restore', 422, 'booking-not-allowed', 'unit-disabled');
    await updateBookableUnit(days.service, { deleted_at: days.day });
    await days.assertRefused(gone, 'Restore', 422, 'booking-not-allowed', 'unit-deleted');
    await days.assertRefused(booked, 'Cancel', 422, 'booking-not-allowed', 'unit-deleted');
    await updateBookableUnit(days.service, { deleted_at: null });
    assert.equal((await executeCommand(days.service, booked, 'Cancel', { token: days.token })).status, 200);
    await updateBookableUnit(days.service, { enabled: 1 });
  });
});
