// GetBankBookings: the requested days, and their time zone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bookingListSuite, today } from '../support/booking-list-suite.ts';
import { insertBooking, bookingsPath } from '../support/bookings.ts';
import { ms2000Of } from '../support/account-oracle.ts';

bookingListSuite(({ service, manager, fetchList, listSelectedNames }) => {
  test('[bookings.07] from and through are inclusive local days of timeZone, today and the tenant’s zone by default', async () => {
    const ofToday = ['over', 'running', 'ahead', 'gone', 'night'];
    for (const query of ['', today, 'from=2026-06-15', 'through=2026-06-15', `${today}&timeZone=Europe/Copenhagen`])
      assert.deepEqual(await listSelectedNames(query), ofToday, query);
    for (const zone of ['Romance Standard Time', 'romance%20standard%20time', 'europe/copenhagen'])
      assert.deepEqual(
        await listSelectedNames(`${today}&timeZone=${encodeURIComponent(decodeURIComponent(zone))}`),
        ofToday,
      );
    assert.deepEqual(await listSelectedNames(`${today}&timeZone=Europe/London`), [
      'over',
      'running',
      'ahead',
      'gone',
      'night',
      'tomorrow',
    ]);
    assert.deepEqual(await listSelectedNames('from=2026-06-14&through=2026-06-14'), ['yesterday']);
    assert.deepEqual(await listSelectedNames('from=2026-06-16&through=2026-06-17'), ['tomorrow', 'expired', 'guest']);
  });

  test('[bookings.08] a booking belongs to the local day on which it starts, even when it ends on the next', async () => {
    assert.ok((await listSelectedNames(today)).includes('night'));
    assert.ok(!(await listSelectedNames('from=2026-06-16&through=2026-06-16')).includes('night'));
  });

  test('[bookings.07] 367 days are allowed; 368 days, a backwards interval, and an invalid day or zone are not', async () => {
    assert.equal((await fetchList('from=2026-06-15&through=2027-06-16')).status, 200);
    for (const [query, path] of [
      ['from=2026-06-15&through=2027-06-17', 'through'],
      ['from=2026-06-16&through=2026-06-15', 'through'],
      ['from=2026-02-30', 'from'],
      ['from=15-06-2026', 'from'],
      ['through=2026-06-15T00:00:00Z', 'through'],
      ['timeZone=Europe/Nowhere', 'timeZone'],
      ['timeZone=%2B02:00', 'timeZone'],
      ['timeZone=', 'timeZone'],
    ] as const) {
      const { status, json } = await fetchList(query);
      assert.deepEqual([status, json.code], [400, 'invalid-request'], query);
      assert.equal(json.errors[0].path, `query.${path}`);
    }
  });

  test('[bookings.07] a day of a change of the clocks has 23 or 25 hours', async () => {
    const starts = ['2026-10-24T22:00:00Z', '2026-10-25T22:55:00Z', '2026-03-28T23:00:00Z', '2026-03-29T21:55:00Z'];
    for (const start of [...starts, '2026-10-25T23:00:00Z', '2026-03-29T22:00:00Z'])
      await insertBooking(service, { startAt: ms2000Of(start), hours: 1 / 12 }, 1002);
    for (const [day, found] of [
      ['2026-10-25', starts.slice(0, 2)],
      ['2026-03-29', starts.slice(2)],
    ]) {
      const { json } = await service.call(
        'GET',
        bookingsPath(`from=${String(day)}&through=${String(day)}`, 1002),
        manager,
      );
      assert.deepEqual(
        json.items.map(({ startUtc }: { startUtc: string }) => startUtc.replace('.000', '')),
        found,
      );
    }
  });
});
