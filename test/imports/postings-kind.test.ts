// Imports of postings: what is appended to the ledger, what is refused, what is taken back, and the round trip.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { LockableDb } from '../../src/database/db.ts';
import { lockAndAppendPostings, lockAndClosePeriod } from '../../src/features/account/queries/ledger.ts';
import type { RowValues } from '../../src/features/import-kinds/import-kind.ts';
import { postingsKind } from '../../src/features/import-kinds/postings/postings.ts';
import { insertTestBank, insertTestResident, setTenantSetting } from '../support/factories.ts';
import { grantBank } from '../support/granted-banks.ts';
import {
  applyRows,
  codesOf,
  exportedRows,
  findRows,
  importActor,
  importTarget,
  keyedRows,
  kidsOf,
  undoRows,
} from '../support/import-kinds.ts';
import { findLedgerDifferences } from '../support/ledger-checks.ts';
import { onBothEngines } from '../support/service.ts';
import { longDeadline, openTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { testNow } from '../support/times.ts';

const use: RowValues = {
  at: '2026-01-31T07:15:00Z',
  resident: 'sund-B1001-R1001',
  unit: 'sund-B1001-L1-U2',
  kind: 'Consumption',
  amount: '-1250',
  text: 'Wash',
  internalTag: '7',
};

onBothEngines((engine) => {
  let storage: TestDatabase;
  let nextBank = 1001;
  before(async () => {
    storage = await openTestDatabase(engine);
    await write((db) => setTenantSetting(db, 'accountingRetentionDays', '400'));
  });
  after(() => storage.close());
  const write = <T>(work: (db: LockableDb) => Promise<T>): Promise<T> => storage.database.write(longDeadline, work);

  /** A bank with residents, and rows of it: KIDs of bank 1001 are those of the bank. */
  async function newBank() {
    const bankId = nextBank++;
    await write(async (db) => {
      await insertTestBank(db, { bankId });
      await insertTestResident(db, 1001, { bankId });
      await insertTestResident(db, 1002, { bankId });
      await db.updateTable('banks').set({ vat_basis_points: 2500 }).where('bank_id', '=', bankId).execute();
    });
    const target = importTarget(bankId);
    const rowsOf = (rows: Readonly<Record<string, RowValues>>, kids: Readonly<Record<string, string>> = {}) => {
      const ofBank = JSON.parse(JSON.stringify(rows).replaceAll('B1001', `B${bankId}`)) as typeof rows;
      return keyedRows(postingsKind, target, ofBank, kids);
    };
    const apply = (rows: Readonly<Record<string, RowValues>>) =>
      write((db) => applyRows(db, postingsKind, target, rowsOf(rows)));
    const postings = () =>
      write((db) =>
        db.selectFrom('postings').selectAll().where('bank_id', '=', bankId).orderBy('posting_id').execute(),
      );
    const differences = () => write((db) => findLedgerDifferences(db, bankId));
    return { bankId, target, rowsOf, apply, postings, differences, kid: (id: number) => `sund-B${bankId}-X${id}` };
  }

  describe('postings of an import', () => {
    test('are appended in the order of the rows, to the open period, with tax by the rate of the bank', async () => {
      const bank = await newBank();
      await write((db) => lockAndClosePeriod(db, grantBank(bank.bankId), testNow, testNow));
      const { applied } = await bank.apply({
        a: use,
        b: { at: '2026-02-01 08:00', kind: 'Payment', amount: '20000', resident: 'sund-B1001-R1002', location: '' },
        c: {
          at: '2026-05-01',
          kind: 'Credit',
          amount: '9007199254740993',
          currency: 'XXX',
          vat: '',
          location: 'sund-B1001-L2',
        },
      });
      assert.deepEqual(kidsOf(applied), [bank.kid(1), bank.kid(2), bank.kid(3)]);
      const rows = await bank.postings();
      assert.deepEqual(
        rows.map((row) => [
          row.user_id,
          row.location_id,
          row.unit_id,
          row.amount_minor,
          row.vat_minor,
          row.currency,
          row.period,
        ]),
        [
          [1001, 1, 2, -1250, -250, 'DKK', 2],
          [1002, 0, 0, 20_000, null, 'DKK', 2],
          [1000, 2, 0, 9_007_199_254_740_993n, null, '', 2],
        ],
      );
      assert.deepEqual(await bank.differences(), []);
    });

    test('have local times of the zone of their location, and none that its clock skips', async () => {
      const bank = await newBank();
      const { found, applied } = await bank.apply({
        summer: { ...use, at: '2026-06-01T12:00' },
        skipped: { ...use, at: '2026-03-29 02:30' },
      });
      assert.deepEqual(codesOf(found[1]?.errors ?? []), ['at invalid']);
      assert.equal(applied.length, 1);
      const [row] = await bank.postings();
      assert.equal(row?.recorded_at, Date.parse('2026-06-01T10:00:00Z') - Date.parse('2000-01-01T00:00:00Z'));
    });

    test('are refused if they name what the bank does not have, or lie ahead', async () => {
      const bank = await newBank();
      const { found } = await bank.apply({
        resident: { ...use, resident: 'sund-B1001-R1999' },
        bank: { ...use, resident: 'sund-B99-R1001' },
        unit: { ...use, unit: 'sund-B1001-L1-U9' },
        place: { ...use, location: 'sund-B1001-L2' },
        ahead: { ...use, at: '2030-01-01T00:00:00Z' },
      });
      assert.deepEqual(
        found.map(({ errors }) => codesOf(errors)),
        [
          ['resident unknown-reference'],
          ['resident unknown-reference'],
          ['unit unknown-reference'],
          ['unit invalid'],
          ['at time-ahead'],
        ],
      );
      assert.deepEqual(await bank.postings(), []);
    });

    test('are found by their keys: equal rows are unchanged, others cannot change', async () => {
      const bank = await newBank();
      const row = { ...use, currency: '', location: '', vat: '-250' };
      await bank.apply({ a: row });
      const find = (values: RowValues) =>
        write((db) => findRows(db, postingsKind, bank.target, bank.rowsOf({ a: values }, { a: bank.kid(1) })));
      const [same] = await find({ ...row, at: '2026-01-31T08:15' });
      assert.deepEqual(same?.errors, []);
      const given = bank.rowsOf({ a: { ...row, at: '2026-01-31T08:15' } })[0]?.values ?? {};
      for (const [field, value] of Object.entries(given)) assert.equal(same?.current?.values[field], value, field);
      const [other] = await find({ ...row, amount: '-1251', text: 'Dry' });
      assert.deepEqual(codesOf(other?.errors ?? []), ['amount cannot-change', 'text cannot-change']);
    });

    test('can reverse and refund what rows before them, and earlier imports, have brought', async () => {
      const bank = await newBank();
      const { applied } = await bank.apply({
        use,
        back: { at: '2026-02-02T00:00:00Z', kind: 'Consumption', amount: '1250', reverses: 'use' },
        other: use,
        part: { ...use, amount: '500', internalTag: '', refunds: 'other' },
        tooMuch: { ...use, amount: '751', internalTag: '', refunds: 'other' },
        again: { ...use, amount: '1250', internalTag: '', reverses: 'use' },
        unknown: { ...use, amount: '1250', internalTag: '', reverses: 'nothing' },
        untagged: { ...use, internalTag: '' },
        ofUntagged: { ...use, amount: '1250', internalTag: '', reverses: 'untagged' },
        unlike: { ...use, amount: '1249', internalTag: '', reverses: 'other' },
      });
      assert.deepEqual(
        applied.map((row) => ('errors' in row ? codesOf(row.errors)[0] : row.objectKid)),
        [
          bank.kid(1),
          bank.kid(2),
          bank.kid(3),
          bank.kid(4),
          'amount invalid',
          'reverses already-reversed',
          'reverses unknown-reference',
          bank.kid(5),
          'reverses no-internal-tag',
          'reverses refunded',
        ],
      );
      assert.deepEqual(
        (await bank.postings()).map((row) => [row.reversal_of, row.payment_reference, row.vat_minor]),
        [
          [null, null, -250],
          [1, null, 250],
          [null, null, -250],
          [null, 'refund of X3', 100],
          [null, null, -250],
        ],
      );
      const { applied: later } = await bank.apply({
        more: { ...use, amount: '750', internalTag: '', refunds: bank.kid(3) },
      });
      assert.deepEqual(kidsOf(later), [bank.kid(6)]);
      assert.deepEqual(await bank.differences(), []);
    });

    test('are recorded in the audit log once for all rows that are applied together', async () => {
      const bank = await newBank();
      await bank.apply({ a: use, b: use });
      const entries = await write((db) =>
        db.selectFrom('audit_entries').selectAll().where('chain', '=', bank.bankId).execute(),
      );
      assert.deepEqual(
        entries.map(({ object, new_values }) => [object, JSON.parse(new_values ?? '')]),
        [[`sund-B${bank.bankId}`, { postings: 2, firstKid: bank.kid(1), lastKid: bank.kid(2) }]],
      );
    });
  });

  describe('undoing an import of postings', () => {
    test('reverses what can be reversed, and says why the rest cannot', async () => {
      const bank = await newBank();
      await bank.apply({
        a: use,
        b: { ...use, internalTag: '' },
        c: { ...use, kind: 'Payment', amount: '5', internalTag: '' },
        d: use,
      });
      const at = testNow;
      const undone = await write((db) =>
        undoRows(db, postingsKind, bank.target, [4, 3, 2, 1].map(bank.kid), importActor(at)),
      );
      assert.deepEqual(
        undone.map((row) => ('errors' in row ? codesOf(row.errors)[0] : row.revision)),
        ['reversed', 'kid payment-transfer', 'kid no-internal-tag', 'reversed'],
      );
      assert.deepEqual(
        (await bank.postings())
          .slice(4)
          .map((row) => [row.reversal_of, row.amount_minor, row.vat_minor, row.recorded_at]),
        [
          [4, 1250, 250, at],
          [1, 1250, 250, at],
        ],
      );
      const syncs = await write((db) =>
        db.selectFrom('device_sync').selectAll().where('bank_id', '=', bank.bankId).orderBy('sync_id').execute(),
      );
      assert.deepEqual(
        syncs.map(({ subject_kind, subject_id, unit_id }) => [subject_kind, subject_id, unit_id]),
        [
          ['posting', 5, 2],
          ['posting', 6, 2],
        ],
      );
      const [found] = await write((db) =>
        findRows(db, postingsKind, bank.target, bank.rowsOf({ a: use }, { a: bank.kid(1) })),
      );
      assert.equal(found?.current?.revision, 'reversed');
      assert.deepEqual(await bank.differences(), []);
    });
  });

  describe('an export of postings', () => {
    test('has every column again after an import into an empty bank', async () => {
      const [bank, empty] = [await newBank(), await newBank()];
      await bank.apply({
        use,
        pay: {
          at: '2026-02-01T08:00:00.123Z',
          kind: 'Payment',
          amount: '20000',
          resident: 'sund-B1001-R1002',
          text: 'Café; "1"',
        },
        back: { at: '2026-02-02T00:00:00Z', kind: 'Consumption', amount: '1250', reverses: 'use' },
        other: { ...use, document: '88', vat: '', currency: 'EUR' },
        part: { ...use, amount: '500', internalTag: '', refunds: 'other', vat: '', currency: 'EUR' },
        gone: { ...use, resident: '', anonymous: 'true', text: 'Consumption', internalTag: '' },
        credit: {
          ...use,
          kind: 'Credit',
          paymentKind: 'Managed',
          amount: '-9223372036854775808',
          vat: '',
          internalTag: '',
        },
        transfer: { at: '1999-01-01T00:00:00Z', kind: 'TransferToRent', amount: '0', currency: 'XXX' },
      });
      await write((db) =>
        lockAndAppendPostings(db, grantBank(bank.bankId), [
          {
            recordedAt: 5,
            locationId: 2,
            unitId: 0,
            residentId: 0,
            kind: 'Unknown',
            currency: '',
            amountMinor: 7n,
            text: 'x',
          },
        ]),
      );
      const exported = await write((db) => exportedRows(db, postingsKind, bank.target));
      assert.equal(exported.length, 9);
      assert.equal(exported[5]?.values['anonymous'], 'true');
      const asRows = Object.fromEntries(exported.map(({ objectKid, values }) => [objectKid, values]));
      const moved = JSON.parse(
        JSON.stringify(asRows).replaceAll(`B${bank.bankId}`, `B${empty.bankId}`),
      ) as typeof asRows;
      const { applied } = await empty.apply(moved);
      assert.equal(kidsOf(applied).length, 9);
      const again = await write((db) => exportedRows(db, postingsKind, empty.target));
      assert.deepEqual(again, JSON.parse(JSON.stringify(exported).replaceAll(`B${bank.bankId}`, `B${empty.bankId}`)));
      assert.deepEqual(await empty.differences(), []);
    });
  });
});
