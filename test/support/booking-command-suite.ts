// A service with bookings, on which each test has its own day, so that bookings of different tests never overlap.

import assert from 'node:assert/strict';
import { before, beforeEach } from 'node:test';
import {
  insertBooking,
  checkCommand,
  executeCommand,
  replaceUnitSettings,
  createBookableBank,
  forgetLastWrite,
  readBankRows,
} from './bookings.ts';
import { insertTestBank } from './factories.ts';
import { serviceSuite, type ServiceSuite } from './service-suite.ts';
import { dayMs, minuteMs, testNow } from './times.ts';

export const laundrySettings = { Bookable: 'true', BookingCalendar: 'Laundry' };

/** Residents, each of whom only one test uses. */
export const limitedResidents = [1100, 1101, 1102, 1103] as const;

export type BookingCommandSuite = ServiceSuite & {
  /** When the test began. */
  testDay(): number;
  /** The default start of bookings. */
  defaultStart(): number;
  /** Books in the first bank; returns the event. */
  bookOne(change?: Parameters<typeof insertBooking>[1]): Promise<number>;
  /** Asserts that a command is refused like this, that its check agrees, and that nothing changes. */
  assertRefused(event: number, command: string, status: number, code: string, reason?: string): Promise<void>;
  /** The reasons of all refusals so far. */
  readonly metReasons: ReadonlySet<string>;
};

/** Declares a suite with banks 1001 and 1002 that can be booked, and 1003 that is deleted, on both engines. */
export function bookingCommandSuite(declare: (suite: BookingCommandSuite) => void): void {
  serviceSuite({ now: testNow }, (suite) => {
    const { service, clock, manager } = suite;
    let day = testNow;
    const metReasons = new Set<string>();
    before(async () => {
      await createBookableBank(service, { residents: [1001, 1002, ...limitedResidents] });
      await createBookableBank(service, { bankId: 1002 });
      await service.write('sund', (db) => insertTestBank(db, { bankId: 1003, deletedAt: 1 }));
    });
    beforeEach(async () => {
      day += 3 * dayMs;
      clock.now = day;
      await replaceUnitSettings(service, laundrySettings);
      await forgetLastWrite(service);
    });
    const defaultStart = (): number => day + dayMs + 30 * minuteMs;
    declare({
      ...suite,
      testDay: () => day,
      defaultStart,
      metReasons,
      bookOne: (change = {}) => insertBooking(service, { startAt: defaultStart(), ...change }, 1001, day),
      assertRefused: async (event, command, status, code, reason) => {
        const rowsBefore = await readBankRows(service);
        const reply = await executeCommand(service, event, command, manager);
        assert.deepEqual([reply.status, reply.json.code, reply.json.reason], [status, code, reason], reply.text);
        assert.deepEqual(await readBankRows(service), rowsBefore);
        if (reason !== undefined) metReasons.add(reason);
        const { json } = await checkCommand(service, event, command, manager);
        const first = code === 'booking-ended' ? 'ended' : code === 'booking-overlap' ? 'overlap' : reason;
        assert.deepEqual([json.allowed, json.codes[0]?.code], [false, first]);
        assert.ok(String(json.codes[0]?.text).length > 10);
      },
    });
  });
}
