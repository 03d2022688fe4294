// Restore takes a time only while nobody else has it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bookingCommandSuite, laundrySettings } from '../support/booking-command-suite.ts';
import { parseEventId, executeCommand, replaceUnitSettings } from '../support/bookings.ts';
import { hourMs, minuteMs } from '../support/times.ts';
import { onBothEngines } from '../support/service.ts';

onBothEngines((engine) => {
  const days = bookingCommandSuite(engine);

  test(`[bookings.13] Restore on a time that was taken meanwhile is 409 booking-overlap, and nothing changes (${engine})`, async () => {
    const event = parseEventId(
      await executeCommand(days.service, await days.bookOne({ hours: 2 }), 'Cancel', { token: days.token }),
    );
    await days.bookOne({ startAt: days.defaultStart() + hourMs + 55 * minuteMs, userId: 1002 });
    await days.assertRefused(event, 'Restore', 409, 'booking-overlap');
    await replaceUnitSettings(days.service, { ...laundrySettings, BookingMaxOpen: '1', Bookable: 'false' });
    await days.assertRefused(event, 'Restore', 409, 'booking-overlap');
  });

  test(`[bookings.13] bookings that abut, and those of other units, are in nobody’s way (${engine})`, async () => {
    const event = parseEventId(
      await executeCommand(days.service, await days.bookOne(), 'Cancel', { token: days.token }),
    );
    await days.bookOne({ startAt: days.defaultStart() + hourMs });
    await days.bookOne({ startAt: days.defaultStart() - hourMs });
    await days.bookOne({ unitId: 2 });
    await days.bookOne({ locationId: 2 });
    assert.equal((await executeCommand(days.service, event, 'Restore', { token: days.token })).status, 200);
  });

  test(`[bookings.13] a time that was used by somebody else is not restored, though that one is over (${engine})`, async () => {
    const start = days.day + 30 * minuteMs;
    const event = parseEventId(
      await executeCommand(days.service, await days.bookOne({ startAt: start, hours: 3 }), 'Cancel', {
        token: days.token,
      }),
    );
    await days.bookOne({ startAt: start, userId: 1002 });
    days.clock = start + 2 * hourMs;
    await days.assertRefused(event, 'Restore', 409, 'booking-overlap');
  });
});
