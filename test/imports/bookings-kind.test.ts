// Imports of bookings: what is booked, what the rules refuse, what is cancelled when an import is undone, and the round
// trip.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { LockableDb } from '../../src/database/db.ts';
import { lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import { bookingsKind } from '../../src/features/import-kinds/bookings/bookings.ts';
import type { RowValues } from '../../src/features/import-kinds/import-kind.ts';
import { createBookableBank, replaceUnitSettings } from '../support/bookings.ts';
import { grantBank } from '../support/granted-banks.ts';
import {
  applyRows,
  codesOf,
  exportedRows,
  findRows,
  importTarget,
  keyedRows,
  kidsOf,
  undoRows,
} from '../support/import-kinds.ts';
import { findLedgerDifferences } from '../support/ledger-checks.ts';
import { onBothEngines } from '../support/service.ts';
import { longDeadline, openTestDatabase, type TestDatabase } from '../support/test-database.ts';

// The clock of the tests stands at noon of 15 June 2026, UTC.
const booking: RowValues = {
  unit: 'sund-B1001-L1-U1',
  resident: 'sund-B1001-R1001',
  from: '2026-06-16T12:00',
  to: '2026-06-16T14:00',
  price: '2500',
  bookedAt: '2026-06-01T08:00:00Z',
};

onBothEngines((engine) => {
  let storage: TestDatabase;
  let nextBank = 1001;
  before(async () => {
    storage = await openTestDatabase(engine);
  });
  after(() => storage.close());
  const write = <T>(work: (db: LockableDb) => Promise<T>): Promise<T> => storage.database.write(longDeadline, work);

  async function newBank(settings: Readonly<Record<string, string>> = {}) {
    const bankId = nextBank++;
    const writer = { write: <T>(_: string, work: (db: LockableDb) => Promise<T>) => write(work) };
    await createBookableBank(writer, { bankId, settings });
    const target = importTarget(bankId);
    const rowsOf = (rows: Readonly<Record<string, RowValues>>, kids: Readonly<Record<string, string>> = {}) => {
      const ofBank = JSON.parse(JSON.stringify(rows).replaceAll('B1001', `B${bankId}`)) as typeof rows;
      return keyedRows(bookingsKind, target, ofBank, kids);
    };
    const apply = (rows: Readonly<Record<string, RowValues>>) =>
      write((db) => applyRows(db, bookingsKind, target, rowsOf(rows)));
    const undo = (...kids: string[]) => write((db) => undoRows(db, bookingsKind, target, kids));
    const readRows = () =>
      write(async (db) => ({
        bookings: await db.selectFrom('bookings').selectAll().where('bank_id', '=', bankId).execute(),
        slots: await db.selectFrom('booking_slots').selectAll().where('bank_id', '=', bankId).execute(),
        syncs: await db.selectFrom('device_sync').selectAll().where('bank_id', '=', bankId).execute(),
        postings: await db.selectFrom('postings').selectAll().where('bank_id', '=', bankId).execute(),
      }));
    return { bankId, target, writer, rowsOf, apply, undo, readRows, kid: (id: number) => `sund-B${bankId}-E${id}` };
  }

  describe('bookings of an import', () => {
    test('take their time, and devices are told of those that are not over', async () => {
      const bank = await newBank();
      const { applied } = await bank.apply({
        ahead: booking,
        cancelled: { ...booking, state: 'cancelled', cancelledAt: '2026-06-02T08:00:00Z' },
        over: { ...booking, from: '2026-01-16T12:00', to: '2026-01-16T14:00', bookedAt: '2026-01-01' },
        guest: { ...booking, resident: '', from: '2026-06-16T15:00', to: '2026-06-16T16:00', currency: 'EUR' },
      });
      assert.deepEqual(kidsOf(applied), [1, 2, 4, 5].map(bank.kid));
      const { bookings, slots, syncs } = await bank.readRows();
      assert.deepEqual(
        bookings.map(({ user_id, state, event_id, price_minor, currency }) => [
          user_id,
          state,
          event_id,
          price_minor,
          currency,
        ]),
        [
          [1001, 'Booked', 1, 2500, 'DKK'],
          [1001, 'Cancelled', 3, 2500, 'DKK'],
          [1001, 'Booked', 4, 2500, 'DKK'],
          [1000, 'Booked', 5, 2500, 'EUR'],
        ],
      );
      assert.equal(slots.length, 36);
      assert.deepEqual(
        syncs.map(({ subject_kind, subject_id }) => [subject_kind, subject_id]),
        [
          ['booking', 1],
          ['booking', 5],
        ],
      );
    });

    test('are refused by the rules of bookings, as of the time when they were made', async () => {
      const bank = await newBank({ BookingNotice: '1440', BookingHorizon: '30' });
      await bank.apply({ first: booking });
      await replaceUnitSettings(bank.writer, { Bookable: 'false' }, { bankId: bank.bankId, unitId: 2 });
      const later = { ...booking, from: '2026-06-17T12:00', to: '2026-06-17T13:00' };
      const { found } = await bank.apply({
        overlap: { ...booking, from: '2026-06-16T13:55', to: '2026-06-16T15:00' },
        unbookable: { ...later, unit: 'sund-B1001-L1-U2' },
        inTime: later,
        tooLate: { ...later, from: '2026-06-16T10:00', to: '2026-06-16T11:00', bookedAt: '' },
        tooEarly: { ...later, bookedAt: '2026-03-01T00:00:00Z' },
        odd: { ...later, from: '2026-06-17T12:01' },
        unit: { ...later, unit: 'sund-B1001-L1-U9' },
        resident: { ...later, resident: 'sund-B1001-R1999' },
      });
      assert.deepEqual(
        found.map(({ errors }) => codesOf(errors)),
        [
          ['from overlap'],
          ['from not-bookable'],
          [],
          ['from notice'],
          ['from horizon'],
          ['to invalid'],
          ['unit unknown-reference'],
          ['resident unknown-reference'],
        ],
      );
    });

    test('claim their time, so that a file has it once', async () => {
      const bank = await newBank();
      const find = (rows: Readonly<Record<string, RowValues>>) =>
        write((db) => findRows(db, bookingsKind, bank.target, bank.rowsOf(rows)));
      const [one, other, past] = await find({
        one: booking,
        other: { ...booking, from: '2026-06-16T13:55', to: '2026-06-16T15:00' },
        past: { ...booking, from: '2026-01-16T13:55', to: '2026-01-16T15:00' },
      });
      assert.equal(one?.claims.filter((claim) => other?.claims.includes(claim)).length, 1);
      assert.deepEqual(past?.claims, []);
    });

    test('are found by their keys: equal rows are unchanged, others cannot change', async () => {
      const bank = await newBank();
      const row = { ...booking, currency: '', state: '', cancelledAt: '' };
      await bank.apply({ a: row });
      const find = (values: RowValues) =>
        write((db) => findRows(db, bookingsKind, bank.target, bank.rowsOf({ a: values }, { a: bank.kid(1) })));
      const [same] = await find(row);
      assert.deepEqual(same?.errors, []);
      for (const [field, value] of Object.entries(bank.rowsOf({ a: row })[0]?.values ?? {}))
        assert.equal(same?.current?.values[field], value, field);
      const [other] = await find({ ...row, price: '1', state: 'Cancelled' });
      assert.deepEqual(codesOf(other?.errors ?? []), ['state cannot-change', 'price cannot-change']);
    });
  });

  describe('undoing an import of bookings', () => {
    test('cancels those that can be cancelled, with the refund of their charges', async () => {
      const bank = await newBank();
      await write((db) =>
        lockAndAppendPostings(db, grantBank(bank.bankId), [
          {
            recordedAt: 5,
            locationId: 1,
            unitId: 1,
            residentId: 1001,
            kind: 'Booking',
            currency: 'DKK',
            amountMinor: -2500n,
            text: 'Paid before',
          },
        ]),
      );
      const posting = `sund-B${bank.bankId}-X1`;
      const { found } = await bank.apply({ other: { ...booking, price: '1', posting } });
      assert.deepEqual(codesOf(found[0]?.errors ?? []), ['posting invalid']);
      const { applied } = await bank.apply({
        charged: { ...booking, posting },
        over: { ...booking, from: '2026-01-16T12:00', to: '2026-01-16T14:00', bookedAt: '2026-01-01' },
      });
      const undone = await bank.undo(...kidsOf(applied).toReversed());
      assert.deepEqual(
        undone.map((row) => ('errors' in row ? codesOf(row.errors) : row.revision)),
        [['kid ended'], '3'],
      );
      const { postings, slots } = await bank.readRows();
      assert.deepEqual(
        postings.map(({ amount_minor, kind }) => [amount_minor, kind]),
        [
          [-2500, 2],
          [2500, 2],
        ],
      );
      assert.deepEqual(slots, []);
      assert.deepEqual(await write((db) => findLedgerDifferences(db, bank.bankId)), []);
    });
  });

  describe('an export of bookings', () => {
    test('has every column again after an import into an empty bank', async () => {
      const [bank, empty] = [await newBank(), await newBank()];
      await bank.apply({
        ahead: booking,
        cancelled: { ...booking, state: 'Cancelled', cancelledAt: '2026-06-02T08:00:00Z' },
        over: {
          ...booking,
          resident: '',
          anonymous: 'true',
          from: '2026-01-16T12:00',
          to: '2026-01-16T14:00',
          bookedAt: '2026-01-01',
        },
        guest: {
          ...booking,
          resident: '',
          from: '2026-06-16T15:00',
          to: '2026-06-16T16:00',
          price: '9007199254740993',
        },
      });
      const exported = await write((db) => exportedRows(db, bookingsKind, bank.target));
      assert.equal(exported.length, 4);
      const asRows = Object.fromEntries(exported.map(({ objectKid, values }) => [objectKid, values]));
      const moved = JSON.parse(
        JSON.stringify(asRows).replaceAll(`B${bank.bankId}`, `B${empty.bankId}`),
      ) as typeof asRows;
      const { found } = await empty.apply(moved);
      assert.deepEqual(
        found.flatMap(({ errors }) => errors),
        [],
      );
      const again = await write((db) => exportedRows(db, bookingsKind, empty.target));
      assert.deepEqual(again, JSON.parse(JSON.stringify(exported).replaceAll(`B${bank.bankId}`, `B${empty.bankId}`)));
    });
  });
});
