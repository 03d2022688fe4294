// A bank with one booking of each kind around the present, and how a test lists them.

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { insertBooking, bookingsPath, cancelledAnHourAgo, createBookableBank } from './bookings.ts';
import { testNow } from './times.ts';
import type { HttpReply } from './call.ts';
import { insertTestBank, insertTestResident, createToken, type ManagerOptions } from './factories.ts';
import { instantOf, ms2000Of } from './account-oracle.ts';
import { startService, type Engine, type TestService } from './service.ts';

export const today = 'from=2026-06-15&through=2026-06-15';
export const week = 'from=2026-06-12&through=2026-06-20';

const exampleBookings: Readonly<Record<string, Parameters<typeof insertBooking>[1]>> = {
  over: { startAt: ms2000Of('2026-06-15T05:00:00Z'), priceMinor: 2500n },
  running: { startAt: ms2000Of('2026-06-15T09:00:00Z'), userId: 1002 },
  ahead: { startAt: ms2000Of('2026-06-15T12:00:00Z'), unitId: 2, userId: 1004, priceMinor: 9_007_199_254_740_993n },
  gone: { startAt: ms2000Of('2026-06-15T15:00:00Z'), locationId: 2, cancelled: cancelledAnHourAgo },
  // Ends on the next day; in London it starts on the day before that in Copenhagen begins.
  night: { startAt: ms2000Of('2026-06-15T21:30:00Z'), hours: 3 },
  tomorrow: { startAt: ms2000Of('2026-06-15T22:00:00Z'), unitId: 2 },
  yesterday: { startAt: ms2000Of('2026-06-14T21:55:00Z'), locationId: 2 },
  expired: { startAt: ms2000Of('2026-06-16T10:00:00Z'), userId: 1003 },
  guest: { startAt: ms2000Of('2026-06-17T10:00:00Z'), userId: 1000 },
  erased: { startAt: ms2000Of('2026-06-18T10:00:00Z'), userId: 0 },
};

export type BookingListSuite = {
  service: TestService;
  /** Of a manager who may do everything. */
  token: string;
  /** The events of the bookings, by what is special about them. */
  readonly events: Record<string, number>;
  fetchList(query?: string, as?: string, headers?: Record<string, string>): Promise<HttpReply>;
  /** What a query selects, by what is special about it, in its order. */
  listSelectedNames(query?: string, as?: string): Promise<string[]>;
  createToken(options: ManagerOptions): Promise<string>;
};

/** Declares a service with bank 1001, 1002 with a single booking, and 1003 that is deleted. */
export function bookingListSuite(engine: Engine): BookingListSuite {
  const suite = { events: {} } as BookingListSuite;
  before(async () => {
    suite.service = await startService(engine, { clock: () => instantOf(testNow).epochMilliseconds });
    const { service, events } = suite;
    Object.assign(suite, await createToken(service));
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
  after(() => suite.service.stop());
  suite.fetchList = (query = '', as = suite.token, headers = {}) =>
    suite.service.call('GET', bookingsPath(query), { token: as, headers });
  suite.listSelectedNames = async (query, as) => {
    const { status, json, text } = await suite.fetchList(query, as);
    assert.equal(status, 200, text);
    const names = new Map(Object.entries(suite.events).map(([name, event]) => [`sund-B1001-E${event}`, name]));
    return json.items.map(({ eventKid }: { eventKid: string }) => names.get(eventKid) ?? eventKid);
  };
  suite.createToken = async (options) => (await createToken(suite.service, options)).token;
  return suite;
}
