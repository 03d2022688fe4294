// Restore books a time only if nobody else has booked it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bookingCommandSuite, laundrySettings } from '../support/booking-command-suite.ts';
import { parseEventId, executeCommand, replaceUnitSettings } from '../support/bookings.ts';
import { hourMs, minuteMs } from '../support/times.ts';

bookingCommandSuite(({ service, manager, clock, testDay, defaultStart, bookOne, assertRefused }) => {
  test('[bookings.13] Restore on a time that was taken meanwhile is 409 booking-overlap, and nothing changes', async () => {
    const event = parseEventId(await executeCommand(service, await bookOne({ hours: 2 }), 'Cancel', manager));
    await bookOne({ startAt: defaultStart() + hourMs + 55 * minuteMs, residentId: 1002 });
    await assertRefused(event, 'Restore', 409, 'booking-overlap');
    await replaceUnitSettings(service, { ...laundrySettings, BookingMaxOpen: '1', Bookable: 'false' });
    await assertRefused(event, 'Restore', 409, 'booking-overlap');
  });

  test('[bookings.13] adjacent bookings and those of other units do not overlap', async () => {
    const event = parseEventId(await executeCommand(service, await bookOne(), 'Cancel', manager));
    await bookOne({ startAt: defaultStart() + hourMs });
    await bookOne({ startAt: defaultStart() - hourMs });
    await bookOne({ unitId: 2 });
    await bookOne({ locationId: 2 });
    assert.equal((await executeCommand(service, event, 'Restore', manager)).status, 200);
  });

  test('[bookings.13] a time that somebody else has used is not restored, even after the other booking has ended', async () => {
    const start = testDay() + 30 * minuteMs;
    const event = parseEventId(
      await executeCommand(service, await bookOne({ startAt: start, hours: 3 }), 'Cancel', manager),
    );
    await bookOne({ startAt: start, residentId: 1002 });
    clock.now = start + 2 * hourMs;
    await assertRefused(event, 'Restore', 409, 'booking-overlap');
  });
});
