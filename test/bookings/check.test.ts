// CheckBankBookingCommand: what it tells, and that it tells what the command then does, on random worlds.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { languages } from '../../src/lib/language.ts';
import {
  book,
  cancelled,
  check,
  dayMs,
  draft,
  execute,
  eventOf,
  giveSettings,
  hourMs,
  now,
  openBookable,
  worldOf,
} from '../support/bookings.ts';
import { makeToken } from '../support/factories.ts';
import { instantOf, ms2000Of } from '../support/oracle.ts';
import { onBothEngines, startService, type Service } from '../support/service.ts';

const laundry = { Bookable: 'true', BookingCalendar: 'Laundry' };

/** What a check calls first and the command refuses by. */
const refusalOf: Record<string, string> = { ended: 'booking-ended', overlap: 'booking-overlap' };

const setting = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });
const settings = fc.record({
  Bookable: fc.constantFrom('true', 'true', 'true', 'false'),
  BookingCancelDeadline: setting(['0', '60', '1440']),
  BookingNotice: setting(['0', '60', '1440']),
  BookingHorizon: setting(['0', '1', '30']),
  BookingMaxOpen: setting(['1', '2']),
  BookingMaxPerDay: setting(['1']),
  BookingMaxPerWeek: setting(['2']),
  BookingMaxPerMonth: setting(['3']),
});
const bookings = fc.array(
  fc.record({
    unitId: fc.constantFrom(1, 1, 2),
    // In half hours around now.
    start: fc.integer({ min: -6, max: 70 }),
    hours: fc.constantFrom(0.5, 1, 3),
    userId: fc.constantFrom(1001, 1001, 1002, 1000),
    isCancelled: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
);
const steps = fc.array(
  fc.record({
    pick: fc.nat(),
    command: fc.constantFrom('Cancel', 'Restore'),
    laterMinutes: fc.constantFrom(0, 0, 1, 30, 600),
  }),
  { minLength: 4, maxLength: 12 },
);

onBothEngines((engine) => {
  let service: Service;
  let token: string;
  let clock = now;
  let bankId = 1000;
  before(async () => {
    service = await startService(engine, { clock: () => instantOf(clock).epochMilliseconds });
    ({ token } = await makeToken(service, { livesMs: 100 * dayMs }));
  });
  after(() => service.stop());

  const newBank = async (given: Record<string, string> = {}): Promise<number> => {
    bankId += 1;
    await openBookable(service, { bankId, settings: given });
    return bankId;
  };

  test(`[bookings.16] what is allowed is told without codes, and the check changes nothing (${engine})`, async () => {
    clock = now;
    const bank = await newBank();
    const event = await book(service, {}, bank);
    const world = await worldOf(service, bank);
    const { status, json, headers } = await check(service, event, 'Cancel', { token, bankId: bank });
    assert.deepEqual([status, json], [200, { allowed: true, codes: [], possibleAtUtc: null }]);
    assert.equal(headers['cache-control'], 'no-store');
    assert.deepEqual(await worldOf(service, bank), world);
  });

  test(`[bookings.16] every code that speaks against a command is told, with a text in the reader’s language (${engine})`, async () => {
    clock = now;
    const bank = await newBank();
    const event = await book(service, { cancelled }, bank);
    await book(service, { startAt: draft().startAt + 30 * 60_000, hours: 2 }, bank);
    const strict = { BookingNotice: '10000', BookingHorizon: '0', BookingMaxOpen: '1', BookingMaxPerDay: '1' };
    const stricter = { BookingMaxPerWeek: '1', BookingMaxPerMonth: '1', Bookable: 'false', BookingCalendar: 'Laundry' };
    await giveSettings(service, { ...strict, ...stricter }, { bankId: bank });
    await service.write('sund', (db) =>
      db.updateTable('units').set({ enabled: 0 }).where('bank_id', '=', bank).execute(),
    );
    const texts = new Set<string>();
    for (const language of languages) {
      const headers = { 'accept-language': language };
      const { json, headers: told } = await check(service, event, 'Restore', { token, bankId: bank, headers });
      assert.equal(told['content-language'], language);
      assert.deepEqual(
        json.codes.map(({ code }: { code: string }) => code),
        [
          'overlap',
          'unit-disabled',
          'not-bookable',
          'notice',
          'horizon',
          'max-open',
          'max-per-day',
          'max-per-week',
          'max-per-month',
        ],
      );
      assert.deepEqual([json.allowed, json.possibleAtUtc], [false, null]);
      for (const { text } of json.codes) texts.add(text);
    }
    assert.equal(texts.size, 9 * languages.length);
  });

  test(`[bookings.16] possibleAtUtc is the first instant at which nothing speaks against it, if only time passes (${engine})`, async () => {
    clock = now;
    const bank = await newBank({ BookingHorizon: '7', BookingMaxOpen: '1' });
    await book(service, { startAt: ms2000Of('2026-06-16T10:00:00Z') }, bank);
    const far = await book(service, { startAt: ms2000Of('2026-06-25T10:00:00Z'), cancelled }, bank);
    const near = await book(service, { startAt: ms2000Of('2026-06-17T10:00:00Z'), cancelled }, bank);
    for (const [event, codes, possibleAtUtc] of [
      // Both have to pass: the horizon at local midnight, the open booking when it begins.
      [far, ['horizon', 'max-open'], '2026-06-17T22:00:00.000Z'],
      [near, ['max-open'], '2026-06-16T10:00:00.000Z'],
    ] as const) {
      clock = now;
      const { json } = await check(service, event, 'Restore', { token, bankId: bank });
      assert.deepEqual(
        json.codes.map(({ code }: { code: string }) => code),
        codes,
      );
      assert.equal(json.possibleAtUtc, possibleAtUtc);
      clock = ms2000Of(possibleAtUtc) - 1;
      assert.equal((await check(service, event, 'Restore', { token, bankId: bank })).json.allowed, false);
      clock += 1;
      const restored = await execute(service, event, 'Restore', { token, bankId: bank });
      assert.equal(restored.status, 200);
      assert.equal((await execute(service, eventOf(restored), 'Cancel', { token, bankId: bank })).status, 200);
    }
  });

  test(`[bookings.16] on random worlds a check agrees with what the command then does (${engine})`, async () => {
    const met = new Set<string>();
    const run = async (
      given: Record<string, string | undefined>,
      drafts: readonly { unitId: number; start: number; hours: number; userId: number; isCancelled: boolean }[],
      commands: readonly { pick: number; command: string; laterMinutes: number }[],
    ): Promise<void> => {
      clock = now;
      const bank = await newBank();
      const values = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
      await giveSettings(service, { ...laundry, ...(Object.fromEntries(values) as object) }, { bankId: bank });
      const events: number[] = [];
      for (const { start, isCancelled, ...rest } of drafts) {
        const startAt = now + start * (hourMs / 2);
        const change = { ...rest, startAt, ...(isCancelled ? { cancelled } : {}) };
        // One that overlaps is not to be had.
        const event = await book(service, change, bank).catch(() => undefined);
        if (event !== undefined) events.push(event);
      }
      for (const { pick, command, laterMinutes } of commands) {
        clock += laterMinutes * 60_000;
        const event = events[pick % events.length];
        if (event === undefined) continue;
        const told = await check(service, event, command, { token, bankId: bank });
        const done = await execute(service, event, command, { token, bankId: bank });
        if (told.status !== 200) {
          assert.deepEqual([done.status, done.json.code], [told.status, told.json.code]);
          continue;
        }
        const [first] = told.json.codes;
        met.add(first?.code ?? 'allowed');
        assert.equal(told.json.allowed, first === undefined);
        if (first === undefined) {
          assert.equal(done.status, 200, done.text);
          // The old event stays among those that are tried.
          events.push(eventOf(done));
        } else {
          const code = refusalOf[first.code] ?? 'booking-not-allowed';
          const reason = code === 'booking-not-allowed' ? first.code : undefined;
          assert.deepEqual([done.json.code, done.json.reason], [code, reason]);
        }
      }
    };
    await fc.assert(fc.asyncProperty(settings, bookings, steps, run), { numRuns: 25 });
    assert.ok(met.has('allowed') && met.size > 4, `only met ${[...met].join(', ')}`);
  });
});
