// A service in which bookings are turned, whose clock stands at the beginning of another day for each test, so that none is
// in another's way.

import assert from 'node:assert/strict';
import { after, before, beforeEach } from 'node:test';
import {
  insertBooking,
  checkCommand,
  executeCommand,
  replaceUnitSettings,
  createBookableBank,
  readBankRows,
} from './bookings.ts';
import { dayMs, minuteMs, testNow } from './times.ts';
import { insertTestBank, createToken, type ManagerOptions } from './factories.ts';
import { instantOf } from './account-oracle.ts';
import { createStorage, startService, type Engine, type TestService, type TestStorage } from './service.ts';

export const laundrySettings = { Bookable: 'true', BookingCalendar: 'Laundry' };

/** Residents whom no test books for but one. */
export const limitedResidents = [1100, 1101, 1102, 1103] as const;

const livesMs = 2000 * dayMs;

export type BookingCommandSuite = {
  storage: TestStorage;
  service: TestService;
  /** Of a manager who may do everything. */
  token: string;
  managerId: number;
  /** What the service takes for the present; it begins at `day`. */
  clock: number;
  day: number;
  /** When bookings start unless told otherwise. */
  defaultStart(): number;
  /** Books in the first bank; answers the event. */
  bookOne(change?: Parameters<typeof insertBooking>[1]): Promise<number>;
  createToken(options: ManagerOptions): Promise<string>;
  /** Insists that a command is refused so, that its check agrees, and that nothing changes. */
  assertRefused(event: number, command: string, status: number, code: string, reason?: string): Promise<void>;
};

/** Declares it: banks 1001 and 1002 that can be booked, and 1003 that is deleted. */
export function bookingCommandSuite(engine: Engine): BookingCommandSuite {
  const suite = { clock: testNow, day: testNow } as BookingCommandSuite;
  before(async () => {
    suite.storage = await createStorage(engine);
    const clock = (): number => instantOf(suite.clock).epochMilliseconds;
    suite.service = await startService(engine, { storage: suite.storage, clock });
    await createBookableBank(suite.service, { residents: [1001, 1002, ...limitedResidents] });
    await createBookableBank(suite.service, { bankId: 1002 });
    await suite.service.write('sund', (db) => insertTestBank(db, { bankId: 1003, deletedAt: 1 }));
    Object.assign(suite, await createToken(suite.service, { livesMs }));
  });
  after(async () => {
    await suite.service.stop();
    await suite.storage.release();
  });
  beforeEach(async () => {
    suite.day += 3 * dayMs;
    suite.clock = suite.day;
    await replaceUnitSettings(suite.service, laundrySettings);
  });
  suite.defaultStart = () => suite.day + dayMs + 30 * minuteMs;
  suite.bookOne = (change = {}) =>
    insertBooking(suite.service, { startAt: suite.defaultStart(), ...change }, 1001, suite.day);
  suite.createToken = async (options) => (await createToken(suite.service, { livesMs, ...options })).token;
  suite.assertRefused = async (event, command, status, code, reason) => {
    const { service, token } = suite;
    const world = await readBankRows(service);
    const reply = await executeCommand(service, event, command, { token });
    assert.deepEqual([reply.status, reply.json.code, reply.json.reason], [status, code, reason], reply.text);
    assert.deepEqual(await readBankRows(service), world);
    const { json } = await checkCommand(service, event, command, { token });
    const first = code === 'booking-ended' ? 'ended' : code === 'booking-overlap' ? 'overlap' : reason;
    assert.deepEqual([json.allowed, json.codes[0]?.code], [false, first]);
    assert.ok(json.codes[0].text.length > 10);
  };
  return suite;
}
