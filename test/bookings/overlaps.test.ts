// Restore takes a time only while nobody else has it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bookingDays, laundry } from '../support/booking-days.ts';
import { eventOf, execute, giveSettings, hourMs, minuteMs } from '../support/bookings.ts';
import { onBothEngines } from '../support/service.ts';

onBothEngines((engine) => {
  const days = bookingDays(engine);

  test(`[bookings.13] Restore on a time that was taken meanwhile is 409 booking-overlap, and nothing changes (${engine})`, async () => {
    const event = eventOf(await execute(days.service, await days.one({ hours: 2 }), 'Cancel', { token: days.token }));
    await days.one({ startAt: days.tomorrow() + hourMs + 55 * minuteMs, userId: 1002 });
    await days.refused(event, 'Restore', 409, 'booking-overlap');
    await giveSettings(days.service, { ...laundry, BookingMaxOpen: '1', Bookable: 'false' });
    await days.refused(event, 'Restore', 409, 'booking-overlap');
  });

  test(`[bookings.13] bookings that abut, and those of other units, are in nobody’s way (${engine})`, async () => {
    const event = eventOf(await execute(days.service, await days.one(), 'Cancel', { token: days.token }));
    await days.one({ startAt: days.tomorrow() + hourMs });
    await days.one({ startAt: days.tomorrow() - hourMs });
    await days.one({ unitId: 2 });
    await days.one({ locationId: 2 });
    assert.equal((await execute(days.service, event, 'Restore', { token: days.token })).status, 200);
  });

  test(`[bookings.13] a time that was used by somebody else is not restored, though that one is over (${engine})`, async () => {
    const start = days.day + 30 * minuteMs;
    const event = eventOf(
      await execute(days.service, await days.one({ startAt: start, hours: 3 }), 'Cancel', { token: days.token }),
    );
    await days.one({ startAt: start, userId: 1002 });
    days.clock = start + 2 * hourMs;
    await days.refused(event, 'Restore', 409, 'booking-overlap');
  });
});
