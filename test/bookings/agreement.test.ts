// The list’s commands, the check and the command itself agree, on random worlds, whatever else is on the page.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  insertBooking,
  bookingsPath,
  cancelledAnHourAgo,
  checkCommand,
  parseEventId,
  executeCommand,
  replaceUnitSettings,
} from '../support/bookings.ts';
import { clearAudit } from '../support/audit.ts';
import { dayMs, hourMs, testNow } from '../support/times.ts';
import { instantOf } from '../support/account-oracle.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { newBookableBank } from '../support/with-bank.ts';

const laundry = { Bookable: 'true', BookingCalendar: 'Laundry' };

/** The first code of a check, which is the code of the command's refusal. */
const refusalOf: Record<string, string> = { ended: 'booking-ended', overlap: 'booking-overlap' };

const setting = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });
const limits = {
  BookingMaxOpen: setting(['1', '1', '2', '3']),
  BookingMaxPerDay: setting(['1']),
  BookingMaxPerWeek: setting(['2']),
  BookingMaxPerMonth: setting(['3']),
};
const rules = {
  Bookable: fc.constantFrom('true', 'true', 'true', 'false'),
  BookingCancelDeadline: setting(['0', '60', '1440']),
  BookingNotice: setting(['0', '60', '1440']),
  BookingHorizon: setting(['1', '30', '365']),
};
const worlds = fc.record({
  settings: fc.oneof(fc.record(limits), fc.record({ ...limits, ...rules })),
  outOfUse: fc.constantFrom(undefined, undefined, undefined, undefined, 'locations' as const, 'banks' as const),
  gone: fc.constantFrom(undefined, undefined, undefined, 'deleted_at' as const, 'expired_at' as const),
  bookings: fc.array(
    fc.record({
      unitId: fc.constantFrom(1, 1, 2),
      // In half hours around now, and up to 200 days ahead.
      start: fc.oneof(fc.integer({ min: -6, max: 70 }), fc.integer({ min: 70, max: 9600 })),
      hours: fc.constantFrom(0.5, 1, 3),
      // The last of them never existed, and 1000 is the guest.
      residentId: fc.constantFrom(1001, 1001, 1001, 1002, 1000, 4242),
      isCancelled: fc.boolean(),
    }),
    { minLength: 2, maxLength: 12 },
  ),
  steps: fc.array(
    fc.record({
      pick: fc.nat(),
      command: fc.constantFrom('Cancel', 'Restore'),
      laterMinutes: fc.constantFrom(0, 0, 1, 30, 600),
    }),
    { minLength: 4, maxLength: 12 },
  ),
});
type World = typeof worlds extends fc.Arbitrary<infer T> ? T : never;

/** Two bookings cannot be restored because of a near one. One of them lies months ahead, where it is the only one on its page. */
const farAhead: World = {
  settings: {
    BookingMaxOpen: '1',
    BookingMaxPerDay: undefined,
    BookingMaxPerWeek: undefined,
    BookingMaxPerMonth: undefined,
  },
  outOfUse: undefined,
  gone: undefined,
  bookings: [96, 2880, 960].map((start) => ({ unitId: 1, start, hours: 1, residentId: 1001, isCancelled: start > 96 })),
  steps: [1, 2].map((pick) => ({ pick, command: 'Restore', laterMinutes: 0 })),
};

serviceSuite({ now: testNow }, (suite) => {
  const { service, manager, clock } = suite;
  let bankId = 0;

  /** Creates the world in a bank of its own; returns the events of the bookings that could be made. */
  async function build({ settings, outOfUse, gone, bookings }: World): Promise<number[]> {
    clock.now = testNow;
    await clearAudit(service);
    bankId = await newBookableBank(suite);
    const given = Object.entries(settings).filter((each): each is [string, string] => each[1] !== undefined);
    await replaceUnitSettings(service, { ...laundry, ...Object.fromEntries(given) }, { bankId });
    const events: number[] = [];
    for (const { start, isCancelled, ...rest } of bookings) {
      const change = {
        ...rest,
        startAt: testNow + start * (hourMs / 2),
        ...(isCancelled ? { cancelled: cancelledAnHourAgo } : {}),
      };
      // A booking that overlaps is refused.
      const event = await insertBooking(service, change, bankId).catch(() => undefined);
      if (event !== undefined) events.push(event);
    }
    await service.write('sund', async (db) => {
      if (outOfUse !== undefined)
        await db.updateTable(outOfUse).set({ enabled: 0 }).where('bank_id', '=', bankId).execute();
      if (gone !== undefined)
        await db
          .updateTable('residents')
          .set({ [gone]: testNow })
          .where('bank_id', '=', bankId)
          .where('resident_id', '=', 1001)
          .execute();
    });
    return events;
  }

  const dayOf = (at: number): string => instantOf(at).toString().slice(0, 10);

  /** The commands that pages of several sizes list for a booking; none if its event is superseded. */
  async function listed(event: number): Promise<string[][]> {
    const wide = `timeZone=UTC&from=${dayOf(testNow - dayMs)}&through=${dayOf(testNow + 210 * dayMs)}&limit=200`;
    const find = async (query: string): Promise<{ startUtc: string; commands: string[] } | undefined> => {
      const { json } = await service.call('GET', bookingsPath(query, bankId), manager);
      return json.items.find(({ eventKid }: { eventKid: string }) => eventKid === `sund-B${bankId}-E${event}`);
    };
    const item = await find(wide);
    if (item === undefined) return [];
    const day = item.startUtc.slice(0, 10);
    const narrow = `timeZone=UTC&from=${day}&through=${day}`;
    const others = await Promise.all([narrow, `${wide}&sort=user`, `${narrow}&filter=washer`].map(find));
    return [item, ...others].map((each) => each?.commands ?? assert.fail('it is on every page'));
  }

  test('[bookings.09, bookings.16] on random worlds lists, checks and commands agree', async () => {
    const met = new Set<string>();
    const run = async (world: World): Promise<void> => {
      const events = await build(world);
      for (const { pick, command, laterMinutes } of world.steps) {
        clock.now += laterMinutes * 60_000;
        const event = events[pick % events.length];
        if (event === undefined) continue;
        const pages = await listed(event);
        const told = await checkCommand(service, event, command, { ...manager, bankId });
        const done = await executeCommand(service, event, command, { ...manager, bankId });
        if (told.status !== 200) {
          assert.deepEqual([done.status, done.json.code, pages], [told.status, told.json.code, []]);
          continue;
        }
        for (const commands of pages) assert.equal(commands.includes(command), told.json.allowed);
        const [first] = told.json.codes;
        met.add(first?.code ?? 'allowed');
        assert.equal(told.json.allowed, first === undefined);
        if (first === undefined) {
          assert.equal(done.status, 200, done.text);
          // The old event is still tried.
          events.push(parseEventId(done));
        } else {
          const code = refusalOf[first.code] ?? 'booking-not-allowed';
          const reason = code === 'booking-not-allowed' ? first.code : undefined;
          assert.deepEqual([done.json.code, done.json.reason], [code, reason]);
        }
      }
    };
    // The rules run above the database, so fewer runs suffice on the slower engine.
    const numRuns = service.engine === 'sqlite' ? 60 : 40;
    await fc.assert(fc.asyncProperty(worlds, run), { numRuns, examples: [[farAhead]] });
    assert.ok(met.has('allowed') && met.size > 5, `only met ${[...met].join(', ')}`);
  });
});
