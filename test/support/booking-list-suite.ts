// A bank with one booking of each kind around the present, and how a test lists them.

import assert from 'node:assert/strict';
import { before } from 'node:test';
import { insertBooking, bookingsPath, cancelledAnHourAgo, createBookableBank } from './bookings.ts';
import { testNow } from './times.ts';
import type { HttpReply } from './call.ts';
import { insertTestBank, insertTestResident } from './factories.ts';
import { ms2000Of } from './account-oracle.ts';
import { serviceSuite, type ServiceSuite } from './service-suite.ts';

export const today = 'from=2026-06-15&through=2026-06-15';
export const week = 'from=2026-06-12&through=2026-06-20';

const exampleBookings: Readonly<Record<string, Parameters<typeof insertBooking>[1]>> = {
  over: { startAt: ms2000Of('2026-06-15T05:00:00Z'), priceMinor: 2500n },
  running: { startAt: ms2000Of('2026-06-15T09:00:00Z'), residentId: 1002 },
  ahead: { startAt: ms2000Of('2026-06-15T12:00:00Z'), unitId: 2, residentId: 1004, priceMinor: 9_007_199_254_740_993n },
  gone: { startAt: ms2000Of('2026-06-15T15:00:00Z'), locationId: 2, cancelled: cancelledAnHourAgo },
  // Ends on the next day; in London it starts on the day before that in Copenhagen begins.
  night: { startAt: ms2000Of('2026-06-15T21:30:00Z'), hours: 3 },
  tomorrow: { startAt: ms2000Of('2026-06-15T22:00:00Z'), unitId: 2 },
  yesterday: { startAt: ms2000Of('2026-06-14T21:55:00Z'), locationId: 2 },
  expired: { startAt: ms2000Of('2026-06-16T10:00:00Z'), residentId: 1003 },
  guest: { startAt: ms2000Of('2026-06-17T10:00:00Z'), residentId: 1000 },
  erased: { startAt: ms2000Of('2026-06-18T10:00:00Z'), residentId: 0 },
};

export type BookingListSuite = ServiceSuite & {
  /** The events of the bookings, by their distinguishing feature. */
  readonly events: Readonly<Record<string, number>>;
  fetchList(query?: string, token?: string, headers?: Record<string, string>): Promise<HttpReply>;
  /** The bookings that a query selects, by their distinguishing feature, in order. */
  listSelectedNames(query?: string, token?: string): Promise<string[]>;
};

/** Declares a suite with bank 1001, 1002 with a single booking, and 1003 that is deleted, on both engines. */
export function bookingListSuite(declare: (suite: BookingListSuite) => void): void {
  serviceSuite({ now: testNow }, (suite) => {
    const { service, manager } = suite;
    const events: Record<string, number> = {};
    before(async () => {
      await createBookableBank(service, { residents: [1001, 1002] });
      await createBookableBank(service, { bankId: 1002 });
      await service.write('sund', async (db) => {
        await insertTestBank(db, { bankId: 1003, deletedAt: 1 });
        await insertTestResident(db, 1003, { expiredAt: testNow });
        await insertTestResident(db, 1004, { name: 'Another Resident' });
      });
      for (const [name, change] of Object.entries(exampleBookings)) events[name] = await insertBooking(service, change);
      await insertBooking(service, {}, 1002);
    });
    const fetchList: BookingListSuite['fetchList'] = (query = '', token = manager.token, headers = {}) =>
      service.call('GET', bookingsPath(query), { token, headers });
    declare({
      ...suite,
      events,
      fetchList,
      listSelectedNames: async (query, token) => {
        const { status, json, text } = await fetchList(query, token);
        assert.equal(status, 200, text);
        const names = new Map(Object.entries(events).map(([name, event]) => [`sund-B1001-E${event}`, name]));
        return json.items.map(({ eventKid }: { eventKid: string }) => names.get(eventKid) ?? eventKid);
      },
    });
  });
}
