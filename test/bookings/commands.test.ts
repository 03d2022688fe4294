// Cancel and Restore: what they turn and answer, and what goes with it.

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
import { onBothEngines } from '../support/service.ts';

onBothEngines((engine) => {
  const days = bookingCommandSuite(engine);

  test(`[bookings.10, bookings.11, bookings.15] Cancel turns a booking, frees its time, and answers it with its new event (${engine})`, async () => {
    const event = await days.bookOne();
    const [last] = (await readBookings(days.service)).slice(-1);
    assert.equal((await countSlotsByBooking(days.service))[last?.booking_id ?? 0], 12);
    const { status, json, headers } = await executeCommand(days.service, event, 'Cancel', { token: days.token });
    assert.equal(status, 200);
    assert.deepEqual(json, {
      eventKid: `sund-B1001-E${event + 1}`,
      state: 'Cancelled',
      startUtc: instantOf(days.defaultStart()).toString({ fractionalSecondDigits: 3 }),
      endUtc: instantOf(days.defaultStart() + hourMs).toString({ fractionalSecondDigits: 3 }),
      unitKid: 'sund-B1001-L1-U1',
      unitName: 'Washer 1',
      locationKid: 'sund-B1001-L1',
      locationName: 'Location 1',
      userKid: 'sund-B1001-R1001',
      userName: 'Demo Resident 1001',
      priceMinor: 0,
      currency: 'DKK',
      commands: ['Restore'],
    });
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['content-language'], 'en');
    assert.equal((await countSlotsByBooking(days.service))[last?.booking_id ?? 0], undefined);
    const [made] = (await readBookingEvents(days.service)).slice(-1);
    assert.deepEqual(made, {
      bank_id: 1001,
      event_id: event + 1,
      booking_id: last?.booking_id,
      kind: 'Cancelled',
      at: days.day,
      editor_id: days.managerId,
      posting_id: null,
    });
  });

  test(`[bookings.11, bookings.15] Restore books a cancelled time again, and what is shown is what was answered (${engine})`, async () => {
    const event = parseEventId(
      await executeCommand(days.service, await days.bookOne({ hours: 2 }), 'Cancel', { token: days.token }),
    );
    const { status, json } = await executeCommand(days.service, event, 'Restore', {
      token: days.token,
      headers: { 'accept-language': 'da' },
    });
    assert.deepEqual([status, json.state, json.eventKid], [200, 'Booked', `sund-B1001-E${event + 1}`]);
    assert.deepEqual([json.unitName, json.commands], ['Vaskemaskine 1', ['Cancel']]);
    const [booking] = (await readBookings(days.service)).slice(-1);
    assert.equal((await countSlotsByBooking(days.service))[booking?.booking_id ?? 0], 24);
    assert.equal((await readBookingEvents(days.service)).at(-1)?.kind, 'Restored');
    const through = instantOf(days.day + 2 * dayMs)
      .toString()
      .slice(0, 10);
    const listed = await days.service.call('GET', bookingsPath(`through=${through}&direction=desc`), {
      token: days.token,
      headers: { 'accept-language': 'da' },
    });
    assert.deepEqual(
      listed.json.items.find(({ eventKid }: { eventKid: string }) => eventKid === json.eventKid),
      json,
    );
  });

  test(`[bookings.15] a booking is Completed from the instant of its end on, by time alone (${engine})`, async () => {
    await days.bookOne({ startAt: days.day + 30 * minuteMs });
    const stateAt = async (at: number): Promise<string> => {
      days.clock = at;
      const { json } = await days.service.call('GET', bookingsPath(), { token: days.token });
      return json.items.at(-1).state;
    };
    assert.equal(await stateAt(days.day), 'Booked');
    assert.equal(await stateAt(days.day + 90 * minuteMs - 1), 'Booked');
    assert.equal(await stateAt(days.day + 90 * minuteMs), 'Completed');
  });

  test(`[bookings.03, bookings.11, bookings.12] an event that was superseded is 409 for ever, whatever the command, and nothing changes (${engine})`, async () => {
    const first = await days.bookOne();
    const second = parseEventId(await executeCommand(days.service, first, 'Cancel', { token: days.token }));
    const third = parseEventId(await executeCommand(days.service, second, 'Restore', { token: days.token }));
    const world = await readBankRows(days.service);
    for (const event of [first, second])
      for (const command of ['Cancel', 'Restore'])
        for (const ask of [executeCommand, checkCommand]) {
          const { status, json } = await ask(days.service, event, command, { token: days.token });
          assert.deepEqual([status, json.code], [409, 'booking-conflict']);
        }
    assert.deepEqual(await readBankRows(days.service), world);
    assert.equal((await executeCommand(days.service, third, 'Cancel', { token: days.token })).status, 200);
  });

  test(`with each command a record of its event is queued towards the unit’s device (${engine})`, async () => {
    const known = await readDeviceSync(days.service);
    const event = parseEventId(
      await executeCommand(days.service, await days.bookOne({ unitId: 2 }), 'Cancel', { token: days.token }),
    );
    await executeCommand(days.service, event, 'Restore', { token: days.token });
    const queued = { bank_id: 1001, subject_kind: 'booking', location_id: 1, unit_id: 2, state: 'queued', attempts: 0 };
    const times = { created_at: days.day, updated_at: days.day };
    assert.deepEqual((await readDeviceSync(days.service)).slice(known.length), [
      { ...queued, ...times, sync_id: known.length + 1, subject_id: event },
      { ...queued, ...times, sync_id: known.length + 2, subject_id: event + 1 },
    ]);
  });

  test(`slots that nobody needs any more go with the next command, those of the last two weeks stay (${engine})`, async () => {
    const slots = async (): Promise<number[]> => {
      const all = await days.service.services.databases
        .forTenant('sund')
        .read({ deadlineMs: 5000 }, (db) =>
          db.selectFrom('booking_slots').select('slot').where('bank_id', '=', 1001).where('unit_id', '=', 2).execute(),
        );
      return all.map(({ slot }) => slot).toSorted((a, b) => a - b);
    };
    days.clock = days.day;
    await days.bookOne({ unitId: 2, startAt: days.day - hourMs });
    const event = await days.bookOne({ unitId: 2, startAt: days.day + 21 * dayMs });
    const slot = (days.day - hourMs) / (5 * minuteMs);
    days.clock = days.day + 14 * dayMs - hourMs;
    const again = parseEventId(await executeCommand(days.service, event, 'Cancel', { token: days.token }));
    assert.ok((await slots()).includes(slot));
    days.clock = days.day + 14 * dayMs - hourMs + 5 * minuteMs;
    await executeCommand(days.service, again, 'Restore', { token: days.token });
    const left = await slots();
    assert.ok(!left.includes(slot) && left.includes(slot + 1));
  });
});
