// A service in which bookings are turned, whose clock stands at the beginning of another day for each test, so that none is
// in another's way.

import assert from 'node:assert/strict';
import { after, before, beforeEach } from 'node:test';
import { book, check, dayMs, execute, giveSettings, minuteMs, now, openBookable, worldOf } from './bookings.ts';
import { makeBank, makeToken, type ManagerOptions } from './factories.ts';
import { instantOf } from './oracle.ts';
import { makeStorage, startService, type EngineName, type Service, type Storage } from './service.ts';

export const laundry = { Bookable: 'true', BookingCalendar: 'Laundry' };

/** Residents whom no test books for but one. */
export const limitedResidents = [1100, 1101, 1102, 1103] as const;

const livesMs = 2000 * dayMs;

export type BookingDays = {
  storage: Storage;
  service: Service;
  /** Of a manager who may do everything. */
  token: string;
  managerId: number;
  /** What the service takes for the present; it begins at `day`. */
  clock: number;
  day: number;
  /** When bookings start unless told otherwise. */
  tomorrow(): number;
  /** Books in the first bank; answers the event. */
  one(change?: Parameters<typeof book>[1]): Promise<number>;
  tokenOf(options: ManagerOptions): Promise<string>;
  /** Insists that a command is refused so, that its check agrees, and that nothing changes. */
  refused(event: number, command: string, status: number, code: string, reason?: string): Promise<void>;
};

/** Declares it: banks 1001 and 1002 that can be booked, and 1003 that is deleted. */
export function bookingDays(engine: EngineName): BookingDays {
  const days = { clock: now, day: now } as BookingDays;
  before(async () => {
    days.storage = await makeStorage(engine);
    const clock = (): number => instantOf(days.clock).epochMilliseconds;
    days.service = await startService(engine, { storage: days.storage, clock });
    await openBookable(days.service, { residents: [1001, 1002, ...limitedResidents] });
    await openBookable(days.service, { bankId: 1002 });
    await days.service.write('sund', (db) => makeBank(db, { bankId: 1003, deletedAt: 1 }));
    Object.assign(days, await makeToken(days.service, { livesMs }));
  });
  after(async () => {
    await days.service.stop();
    await days.storage.release();
  });
  beforeEach(async () => {
    days.day += 3 * dayMs;
    days.clock = days.day;
    await giveSettings(days.service, laundry);
  });
  days.tomorrow = () => days.day + dayMs + 30 * minuteMs;
  days.one = (change = {}) => book(days.service, { startAt: days.tomorrow(), ...change }, 1001, days.day);
  days.tokenOf = async (options) => (await makeToken(days.service, { livesMs, ...options })).token;
  days.refused = async (event, command, status, code, reason) => {
    const { service, token } = days;
    const world = await worldOf(service);
    const reply = await execute(service, event, command, { token });
    assert.deepEqual([reply.status, reply.json.code, reply.json.reason], [status, code, reason], reply.text);
    assert.deepEqual(await worldOf(service), world);
    const { json } = await check(service, event, command, { token });
    const first = code === 'booking-ended' ? 'ended' : code === 'booking-overlap' ? 'overlap' : reason;
    assert.deepEqual([json.allowed, json.codes[0]?.code], [false, first]);
    assert.ok(json.codes[0].text.length > 10);
  };
  return days;
}
