// What commands post to the account: a refund by the unit's rules, and a new charge when the booking is restored, each
// in the transaction of its event.

import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import {
  insertBooking,
  bookingCharge,
  parseEventId,
  executeCommand,
  replaceUnitSettings,
  createBookableBank,
  readBookingEvents,
  readBankRows,
} from '../support/bookings.ts';
import { dayMs, testNow } from '../support/times.ts';
import { verifyBankLedger } from '../support/ledger-checks.ts';
import { readPostings, readDeviceSync } from '../support/reversal.ts';
import { serviceSuite } from '../support/service-suite.ts';

serviceSuite({ now: testNow }, ({ service, manager }) => {
  let startAt = testNow + dayMs / 2 + 30 * 60_000;
  before(async () => {
    await createBookableBank(service);
  });
  beforeEach(() => {
    startAt += dayMs;
  });

  const rules = (settings: Record<string, string>) =>
    replaceUnitSettings(service, { Bookable: 'true', BookingCalendar: 'Laundry', ...settings });
  const charged = (priceMinor: bigint, vatMinor?: bigint): Promise<number> =>
    insertBooking(service, { startAt, priceMinor, charge: { ...bookingCharge, vatMinor: vatMinor ?? null } });
  const amounts = async (since: number): Promise<bigint[]> =>
    (await readPostings(service)).slice(since).map(({ amount_minor }) => BigInt(amount_minor));
  const count = async (): Promise<number> => (await readPostings(service)).length;
  const run = async (event: number, ...commands: string[]): Promise<number> => {
    let latest = event;
    for (const command of commands) {
      const reply = await executeCommand(service, latest, command, manager);
      assert.equal(reply.status, 200, reply.text);
      latest = parseEventId(reply);
    }
    return latest;
  };

  test('[bookings.15] cancelling a charged booking refunds its price, and restoring it charges exactly that price again', async () => {
    await rules({});
    const since = await count();
    const event = await charged(12_345n, -2469n);
    await run(event, 'Cancel', 'Restore', 'Cancel', 'Restore', 'Cancel');
    assert.deepEqual(await amounts(since), [-12_345n, 12_345n, -12_345n, 12_345n, -12_345n, 12_345n]);
    const posted = (await readPostings(service)).slice(since);
    assert.deepEqual(
      posted.map(({ vat_minor }) => vat_minor),
      [-2469, 2469, -2469, 2469, -2469, 2469],
    );
    const [first] = posted;
    for (const row of posted.slice(1)) {
      assert.deepEqual(
        [row.kind, row.text, row.user_id, row.location_id, row.unit_id, row.currency, row.recorded_at],
        [first?.kind, 'Reservation fee', 1001, 1, 1, 'DKK', testNow],
      );
      assert.deepEqual([row.payment_kind, row.reversal_of, row.internal_tag], [0, null, null]);
    }
    const events = (await readBookingEvents(service)).slice(-6);
    assert.deepEqual(
      events.map(({ posting_id }) => posting_id),
      posted.map(({ posting_id }) => posting_id),
    );
    assert.deepEqual(await verifyBankLedger(service, 1001), []);
  });

  const terms: [what: string, settings: Record<string, string>, price: bigint, refund: bigint | undefined][] = [
    ['all of it without a rule', {}, 999n, 999n],
    ['half of it, rounded half up', { BookingRefund: '50' }, 999n, 500n],
    ['a third of it, rounded down', { BookingRefund: '33' }, 101n, 33n],
    ['what is left of the fee', { BookingRefund: '50', BookingCancelFee: '100' }, 999n, 400n],
    ['nothing where the fee takes it', { BookingCancelFee: '1000' }, 999n, undefined],
    ['nothing where nothing comes back', { BookingRefund: '0' }, 999n, undefined],
    ['the largest there is', { BookingRefund: '99' }, 2n ** 63n - 1n, 9_131_138_316_486_228_049n],
  ];
  for (const [what, settings, price, refund] of terms)
    test(`[bookings.15] a cancellation refunds ${what}, and a restoration charges exactly that`, async () => {
      await rules(settings);
      const since = await count();
      const event = await charged(price);
      const gone = await run(event, 'Cancel');
      // The rules at the time of the restoration do not count.
      await rules({ BookingRefund: '10' });
      await run(gone, 'Restore');
      assert.deepEqual(await amounts(since), [-price, ...(refund === undefined ? [] : [refund, -refund])]);
      await rules(settings);
      assert.deepEqual(await verifyBankLedger(service, 1001), []);
    });

  test('[bookings.15] a booking that was not charged is not refunded, whatever its price', async () => {
    await rules({});
    const since = await count();
    await run(await insertBooking(service, { startAt, priceMinor: 5000n }), 'Cancel', 'Restore', 'Cancel');
    assert.deepEqual(await amounts(since), []);
    // A bank without a ledger has charged nobody.
    await createBookableBank(service, { bankId: 1009 });
    await service.write('sund', (db) => db.deleteFrom('ledgers').where('bank_id', '=', 1009).execute());
    const event = await insertBooking(service, { priceMinor: 5000n }, 1009);
    assert.equal((await executeCommand(service, event, 'Cancel', { token: manager.token, bankId: 1009 })).status, 200);
  });

  test('a booking without a price posts nothing, even if it was to be charged', async () => {
    const since = await count();
    await run(await charged(0n), 'Cancel', 'Restore');
    assert.deepEqual(await amounts(since), []);
  });

  test('the tax is in proportion to the refund', async () => {
    await rules({ BookingRefund: '50' });
    const since = await count();
    await run(await charged(1000n, -200n), 'Cancel', 'Restore');
    const vats = (await readPostings(service)).slice(since).map(({ vat_minor }) => vat_minor);
    assert.deepEqual(vats, [-200, 100, -100]);
  });

  test('[bookings.15] a command whose record cannot be queued posts and changes nothing', async () => {
    await rules({});
    const event = await charged(700n);
    await run(await run(event, 'Cancel'), 'Restore');
    const latest = event + 2;
    const known = await readDeviceSync(service);
    const inTheWay = { ...(known.at(-1) ?? assert.fail()), sync_id: known.length + 1 };
    await service.write('sund', (db) => db.insertInto('device_sync').values(inTheWay).execute());
    const world = await readBankRows(service);
    assert.equal((await executeCommand(service, latest, 'Cancel', manager)).status, 500);
    assert.deepEqual(await readBankRows(service), world);
    await service.write('sund', (db) =>
      db.deleteFrom('device_sync').where('bank_id', '=', 1001).where('sync_id', '=', inTheWay.sync_id).execute(),
    );
    await run(latest, 'Cancel');
    assert.deepEqual(await verifyBankLedger(service, 1001), []);
  });
});
