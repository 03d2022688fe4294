// Cancel and Restore: what they change and answer, and their side effects.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bookingCommandSuite } from '../support/booking-command-suite.ts';
import {
  bookingsPath,
  checkCommand,
  parseEventId,
  executeCommand,
  countSlotsByBooking,
  readBookings,
  readBookingEvents,
  readBankRows,
} from '../support/bookings.ts';
import { dayMs, hourMs, minuteMs } from '../support/times.ts';
import { instantOf } from '../support/account-oracle.ts';
import { readDeviceSync } from '../support/reversal.ts';

bookingCommandSuite(({ service, manager, clock, testDay, defaultStart, bookOne }) => {
  test('[bookings.10, bookings.11, bookings.15] Cancel changes a booking, frees its time, and answers it with its new event', async () => {
    const event = await bookOne();
    const [last] = (await readBookings(service)).slice(-1);
    assert.equal((await countSlotsByBooking(service))[last?.booking_id ?? 0], 12);
    const { status, json, headers } = await executeCommand(service, event, 'Cancel', manager);
    assert.equal(status, 200);
    assert.deepEqual(json, {
      eventKid: `sund-B1001-E${event + 1}`,
      firstEventKid: `sund-B1001-E${event}`,
      state: 'Cancelled',
      startUtc: instantOf(defaultStart()).toString({ fractionalSecondDigits: 3 }),
      endUtc: instantOf(defaultStart() + hourMs).toString({ fractionalSecondDigits: 3 }),
      unitKid: 'sund-B1001-L1-U1',
      unitName: 'Washer 1',
      locationKid: 'sund-B1001-L1',
      locationName: 'Location 1',
      timeZone: 'Europe/Copenhagen',
      userKid: 'sund-B1001-R1001',
      userName: 'Demo Resident 1001',
      priceMinor: 0,
      currency: 'DKK',
      commands: ['Restore'],
    });
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['content-language'], 'en');
    assert.equal((await countSlotsByBooking(service))[last?.booking_id ?? 0], undefined);
    const [made] = (await readBookingEvents(service)).slice(-1);
    assert.deepEqual(made, {
      bank_id: 1001,
      event_id: event + 1,
      booking_id: last?.booking_id,
      kind: 'Cancelled',
      at: testDay(),
      editor_id: manager.managerId,
      posting_id: null,
    });
  });

  test('[bookings.11, bookings.15] Restore books a cancelled time again, and reads show what it answered', async () => {
    const event = parseEventId(await executeCommand(service, await bookOne({ hours: 2 }), 'Cancel', manager));
    const { status, json } = await executeCommand(service, event, 'Restore', {
      token: manager.token,
      headers: { 'accept-language': 'da' },
    });
    assert.deepEqual([status, json.state, json.eventKid], [200, 'Booked', `sund-B1001-E${event + 1}`]);
    assert.deepEqual([json.unitName, json.commands], ['Vaskemaskine 1', ['Cancel']]);
    const [booking] = (await readBookings(service)).slice(-1);
    assert.equal((await countSlotsByBooking(service))[booking?.booking_id ?? 0], 24);
    assert.equal((await readBookingEvents(service)).at(-1)?.kind, 'Restored');
    const through = instantOf(testDay() + 2 * dayMs)
      .toString()
      .slice(0, 10);
    const listed = await service.call('GET', bookingsPath(`through=${through}&direction=desc`), {
      token: manager.token,
      headers: { 'accept-language': 'da' },
    });
    assert.deepEqual(
      listed.json.items.find(({ eventKid }: { eventKid: string }) => eventKid === json.eventKid),
      json,
    );
  });

  test('[bookings.15] a booking is Completed from the instant of its end on, only because time passes', async () => {
    await bookOne({ startAt: testDay() + 30 * minuteMs });
    const stateAt = async (at: number): Promise<string> => {
      clock.now = at;
      const { json } = await service.call('GET', bookingsPath(), manager);
      return json.items.at(-1).state;
    };
    assert.equal(await stateAt(testDay()), 'Booked');
    assert.equal(await stateAt(testDay() + 90 * minuteMs - 1), 'Booked');
    assert.equal(await stateAt(testDay() + 90 * minuteMs), 'Completed');
  });

  test('[bookings.03, bookings.11, bookings.12] a superseded event is always 409 for every command, and nothing changes', async () => {
    const first = await bookOne();
    const second = parseEventId(await executeCommand(service, first, 'Cancel', manager));
    const third = parseEventId(await executeCommand(service, second, 'Restore', manager));
    const world = await readBankRows(service);
    for (const event of [first, second])
      for (const command of ['Cancel', 'Restore'])
        for (const ask of [executeCommand, checkCommand]) {
          const { status, json } = await ask(service, event, command, manager);
          assert.deepEqual(
            [status, json.code, json.currentEventKid],
            [409, 'booking-conflict', `sund-B1001-E${third}`],
          );
        }
    assert.deepEqual(await readBankRows(service), world);
    assert.equal((await executeCommand(service, third, 'Cancel', manager)).status, 200);
  });

  test('each command queues a record of its event for the unit’s device', async () => {
    const known = await readDeviceSync(service);
    const event = parseEventId(await executeCommand(service, await bookOne({ unitId: 2 }), 'Cancel', manager));
    await executeCommand(service, event, 'Restore', manager);
    const queued = { bank_id: 1001, subject_kind: 'booking', location_id: 1, unit_id: 2, state: 'queued', attempts: 0 };
    const times = { created_at: testDay(), updated_at: testDay(), detail: null, code: null };
    assert.deepEqual((await readDeviceSync(service)).slice(known.length), [
      { ...queued, ...times, sync_id: known.length + 1, subject_id: event },
      { ...queued, ...times, sync_id: known.length + 2, subject_id: event + 1 },
    ]);
  });

  test('the next command deletes slots older than two weeks, and keeps the others', async () => {
    const slots = async (): Promise<number[]> => {
      const all = await service.dependencies.databases
        .forTenant('sund')
        .read({ deadlineMs: 5000 }, (db) =>
          db.selectFrom('booking_slots').select('slot').where('bank_id', '=', 1001).where('unit_id', '=', 2).execute(),
        );
      return all.map(({ slot }) => slot).toSorted((a, b) => a - b);
    };
    clock.now = testDay();
    await bookOne({ unitId: 2, startAt: testDay() - hourMs });
    const event = await bookOne({ unitId: 2, startAt: testDay() + 21 * dayMs });
    const slot = (testDay() - hourMs) / (5 * minuteMs);
    clock.now = testDay() + 14 * dayMs - hourMs;
    const again = parseEventId(await executeCommand(service, event, 'Cancel', manager));
    assert.ok((await slots()).includes(slot));
    clock.now = testDay() + 14 * dayMs - hourMs + 5 * minuteMs;
    await executeCommand(service, again, 'Restore', manager);
    const left = await slots();
    assert.ok(!left.includes(slot) && left.includes(slot + 1));
  });
});
