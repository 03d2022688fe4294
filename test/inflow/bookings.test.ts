// Lines of the stream of money that make and cancel bookings at a terminal.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { executeCommand, readBookings, readBookingEvents, countSlotsByBooking } from '../support/bookings.ts';
import { verifyBankLedger } from '../support/ledger-checks.ts';
import { readDeviceSync } from '../support/reversal.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { createEquipment, type TestEquipment } from '../support/streams.ts';
import { hourMs, testNow } from '../support/times.ts';

serviceSuite({ now: testNow }, (suite) => {
  const { service, manager } = suite;
  const iso = (ms: number) => new Date(Date.UTC(2000, 0, 1) + testNow + ms).toISOString();
  const book = (equipment: TestEquipment, hours: number, change: Record<string, unknown> = {}) =>
    equipment.use({
      t: 'booking',
      document: undefined,
      from: iso(hours * hourMs),
      to: iso((hours + 1) * hourMs),
      ...change,
    });
  const cancel = (equipment: TestEquipment, booking: string, change: Record<string, unknown> = {}) => ({
    t: 'cancel',
    at: iso(-1000),
    unit: equipment.unit('1-1'),
    booking,
    ...change,
  });
  const codesOf = ({ json }: { json: { held: { n: number; code: string }[] } }) =>
    json.held.map(({ n, code }) => [n, code]);

  test('a booking takes its time, charges its price and is queued for the devices; a cancellation gives both back', async () => {
    const equipment = await createEquipment(suite);
    const reply = await equipment.send('money', [
      book(equipment, 24, { ref: 'B-1' }),
      book(equipment, 26, { ref: 'B-2', amountMinor: '0' }),
      cancel(equipment, 'B-1'),
      cancel(equipment, 'B-2'),
    ]);
    assert.deepEqual(codesOf(reply), []);
    const bookings = await readBookings(service, equipment.bankId);
    assert.deepEqual(
      bookings.map(({ state, user_id, price_minor }) => [state, user_id, Number(price_minor)]),
      [
        ['Cancelled', 1001, 1500],
        ['Cancelled', 1001, 0],
      ],
    );
    const events = await readBookingEvents(service, equipment.bankId);
    assert.deepEqual(
      events.map(({ kind, editor_id }) => [kind, editor_id]),
      [
        ['Booked', null],
        ['Booked', null],
        ['Cancelled', null],
        ['Cancelled', null],
      ],
    );
    assert.deepEqual(await countSlotsByBooking(service, equipment.bankId), {});
    assert.deepEqual(
      (await equipment.postings()).map(({ kind, amount_minor }) => [kind, Number(amount_minor)]),
      [
        [2, -1500],
        [2, 0],
        [2, 1500],
        [2, 0],
      ],
    );
    const syncs = await readDeviceSync(service, equipment.bankId);
    assert.deepEqual(
      syncs.map(({ subject_kind, subject_id }) => [subject_kind, subject_id]),
      events.map(({ event_id }) => ['booking', event_id]),
    );
    await verifyBankLedger(service, equipment.bankId);
  });

  test('what the rules of bookings refuse is held, and takes no time', async () => {
    const equipment = await createEquipment(suite);
    const reply = await equipment.send('money', [
      book(equipment, 24, { ref: 'B-1' }),
      book(equipment, 24, { ref: 'B-2', key: `Card:${equipment.bankId}12345` }),
      book(equipment, 30, { to: iso(29 * hourMs) }),
      book(equipment, 30, { from: iso(30 * hourMs + 1) }),
      cancel(equipment, 'B-1'),
      cancel(equipment, 'B-1'),
      cancel(equipment, 'B-1', { unit: equipment.unit('1-2') }),
      cancel(equipment, `sund-B${equipment.bankId}-E99`),
    ]);
    assert.deepEqual(codesOf(reply), [
      [2, 'booking-refused'],
      [3, 'booking-refused'],
      [4, 'booking-refused'],
      [6, 'booking-refused'],
      [7, 'unknown-ref'],
      [8, 'unknown-ref'],
    ]);
    const held = await equipment.heldLines();
    assert.deepEqual(
      held.flatMap(({ reason }) => reason ?? []),
      ['overlap', 'invalid-interval', 'invalid-interval', 'not-booked'],
    );
    await verifyBankLedger(service, equipment.bankId);
  });

  test('a booking is cancelled by its event, unless a manager was faster', async () => {
    const equipment = await createEquipment(suite);
    await equipment.send('money', [book(equipment, 24), book(equipment, 30)]);
    const [first, second] = await readBookingEvents(service, equipment.bankId);
    const eventKid = (event: { event_id: number } | undefined) => `sund-B${equipment.bankId}-E${event?.event_id}`;
    const cancelled = await executeCommand(service, second?.event_id ?? 0, 'Cancel', {
      token: manager.token,
      bankId: equipment.bankId,
    });
    assert.equal(cancelled.status, 200);
    const reply = await equipment.send(
      'money',
      [cancel(equipment, eventKid(first)), cancel(equipment, eventKid(second))],
      { first: 3 },
    );
    assert.deepEqual(codesOf(reply), [[4, 'booking-refused']]);
    await verifyBankLedger(service, equipment.bankId);
  });
});
