// CheckBankBookingCommand: what it answers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languages } from '../../src/lib/text/language.ts';
import {
  insertBooking,
  cancelledAnHourAgo,
  checkCommand,
  bookingDraft,
  executeCommand,
  forgetLastWrite,
  parseEventId,
  replaceUnitSettings,
  readBankRows,
} from '../support/bookings.ts';
import { testNow } from '../support/times.ts';
import { ms2000Of } from '../support/account-oracle.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { newBookableBank } from '../support/with-bank.ts';

serviceSuite({ now: testNow }, (suite) => {
  const { service, manager, clock } = suite;

  test('[bookings.16] an allowed command is answered without codes, and the check changes nothing', async () => {
    const bank = await newBookableBank(suite);
    const event = await insertBooking(service, {}, bank);
    const world = await readBankRows(service, bank);
    const { status, json, headers } = await checkCommand(service, event, 'Cancel', { ...manager, bankId: bank });
    assert.deepEqual([status, json], [200, { allowed: true, codes: [], possibleAtUtc: null }]);
    assert.equal(headers['cache-control'], 'no-store');
    assert.deepEqual(await readBankRows(service, bank), world);
  });

  test('[bookings.16] every code that forbids a command is listed, with a text in the manager’s language', async () => {
    const bank = await newBookableBank(suite);
    const event = await insertBooking(service, { cancelled: cancelledAnHourAgo }, bank);
    await insertBooking(service, { startAt: bookingDraft().startAt + 30 * 60_000, hours: 2 }, bank);
    const strict = { BookingNotice: '10000', BookingHorizon: '0', BookingMaxOpen: '1', BookingMaxPerDay: '1' };
    const stricter = { BookingMaxPerWeek: '1', BookingMaxPerMonth: '1', Bookable: 'false', BookingCalendar: 'Laundry' };
    await replaceUnitSettings(service, { ...strict, ...stricter }, { bankId: bank });
    await service.write('sund', (db) =>
      db.updateTable('units').set({ enabled: 0 }).where('bank_id', '=', bank).execute(),
    );
    const texts = new Set<string>();
    for (const language of languages) {
      const headers = { 'accept-language': language };
      const { json, headers: told } = await checkCommand(service, event, 'Restore', {
        ...manager,
        bankId: bank,
        headers,
      });
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

  test('[bookings.16] possibleAtUtc is the first instant at which the command is allowed, if nothing else changes', async () => {
    const bank = await newBookableBank(suite, { settings: { BookingHorizon: '7', BookingMaxOpen: '1' } });
    await insertBooking(service, { startAt: ms2000Of('2026-06-16T10:00:00Z') }, bank);
    const far = await insertBooking(
      service,
      { startAt: ms2000Of('2026-06-25T10:00:00Z'), cancelled: cancelledAnHourAgo },
      bank,
    );
    const near = await insertBooking(
      service,
      { startAt: ms2000Of('2026-06-17T10:00:00Z'), cancelled: cancelledAnHourAgo },
      bank,
    );
    for (const [event, codes, possibleAtUtc] of [
      // Both limits must end: the horizon at local midnight, the open booking when it begins.
      [far, ['horizon', 'max-open'], '2026-06-17T22:00:00.000Z'],
      [near, ['max-open'], '2026-06-16T10:00:00.000Z'],
    ] as const) {
      clock.now = testNow;
      await forgetLastWrite(service, bank);
      const { json } = await checkCommand(service, event, 'Restore', { ...manager, bankId: bank });
      assert.deepEqual(
        json.codes.map(({ code }: { code: string }) => code),
        codes,
      );
      assert.equal(json.possibleAtUtc, possibleAtUtc);
      clock.now = ms2000Of(possibleAtUtc) - 1;
      assert.equal((await checkCommand(service, event, 'Restore', { ...manager, bankId: bank })).json.allowed, false);
      clock.now += 1;
      const restored = await executeCommand(service, event, 'Restore', { ...manager, bankId: bank });
      assert.equal(restored.status, 200);
      assert.equal(
        (await executeCommand(service, parseEventId(restored), 'Cancel', { ...manager, bankId: bank })).status,
        200,
      );
    }
  });
});
