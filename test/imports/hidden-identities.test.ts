// What an import says of postings and bookings whose identity its reader does not see: no more than lists and exports do.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RowError } from '../../src/features/import-kinds/import-kind.ts';
import { insertTestBank, insertTestResident, setTenantSetting } from '../support/factories.ts';
import { exportRows, importRows, planRows, readRows, sendRows } from '../support/import-calls.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, testNow } from '../support/times.ts';

const postingColumns = ['key', 'at', 'resident', 'unit', 'kind', 'amount', 'text', 'document', 'internalTag'];
const bookingColumns = ['key', 'unit', 'resident', 'from', 'to'];
/** What tells whose a record is. */
const secrets = /R1001|Secret wash|4711/;

serviceSuite({ now: testNow }, (suite) => {
  const { service, manager, clock } = suite;

  /** A bank with a posting and a booking that were visible when they were imported, and are not any more. */
  async function newBank() {
    const bankId = suite.nextBankId();
    const kid = `sund-B${bankId}`;
    await service.write('sund', async (db) => {
      await insertTestBank(db, { bankId });
      await insertTestResident(db, 1001, { bankId });
      await insertTestResident(db, 1002, { bankId });
      await setTenantSetting(db, 'accountingRetentionDays', '400');
    });
    const posting = (key: string, resident: string): string[] => [
      key,
      '2026-06-01T08:00:00.000Z',
      resident,
      `${kid}-L1-U2`,
      'Consumption',
      '-12.50',
      'Secret wash',
      '4711',
      '7',
    ];
    const booking = (key: string, resident: string): string[] => [
      key,
      `${kid}-L1-U2`,
      resident,
      '2026-06-01T08:00:00.000Z',
      '2026-06-01T09:00:00.000Z',
    ];
    const owner = `${kid}-R1001`;
    const postings = { kind: 'postings', bankId, token: manager.token };
    const bookings = { kind: 'bookings', bankId, token: manager.token };
    const made = [
      await importRows(service, { ...postings, rows: [postingColumns, posting('a', owner)] }),
      await importRows(service, { ...bookings, rows: [bookingColumns, booking('b', owner)] }),
    ];
    return { bankId, kid, posting, booking, postings, bookings, made };
  }

  /** A manager who sees identities for thirty days. */
  const issueShortToken = (): Promise<string> => suite.issueToken({ retentionDays: 30 });
  const expire = (): number => (clock.now += 500 * dayMs);

  for (const kind of ['postings', 'bookings'] as const)
    test(`[account.32, imports.12] a plan does not tell whose ${kind} are whose identity has expired, nor confirms a guess`, async () => {
      const bank = await newBank();
      expire();
      const [columns, rowOf] = { postings: [postingColumns, bank.posting], bookings: [bookingColumns, bank.booking] }[
        kind
      ] as [string[], (key: string, resident: string) => string[]];
      const key = kind === 'postings' ? 'a' : 'b';
      const errors: RowError[][] = [];
      for (const resident of [`${bank.kid}-R1001`, `${bank.kid}-R1002`]) {
        const { kid, counts } = await planRows(service, { ...bank[kind], rows: [columns, rowOf(key, resident)] });
        assert.equal(counts.refused, 1);
        const [row] = await readRows(service, kid, manager.token);
        errors.push(row.errors);
        assert.ok(row.errors.some(({ field }: RowError) => field === 'resident'));
        assert.doesNotMatch(JSON.stringify(row.errors), secrets);
      }
      assert.deepEqual(errors[0], errors[1]);
    });

  for (const kind of ['postings', 'bookings'] as const)
    test(`[imports.12] the own export of ${kind} without identities has no row that is refused`, async () => {
      const bank = await newBank();
      expire();
      const rows = await exportRows(service, bank[kind]);
      assert.doesNotMatch(JSON.stringify(rows), secrets);
      const { counts } = await planRows(service, { ...bank[kind], rows });
      assert.equal(counts.refused, 0);
    });

  test('[imports.12] a posting whose identity has expired cannot be reversed: the reversal would tell whose it was', async () => {
    const bank = await newBank();
    expire();
    const rows = [
      ['key', 'at', 'kind', 'amount', 'reverses'],
      ['r', '2027-10-01T08:00:00.000Z', 'Consumption', '12.50', 'a'],
    ];
    const { kid } = await planRows(service, { ...bank.postings, rows });
    const [row] = await readRows(service, kid, manager.token);
    assert.deepEqual(
      row.errors.map(({ field, code }: RowError) => `${field} ${code}`),
      ['reverses expired-identity'],
    );
  });

  test('[imports.12] stored rows of a plan show a manager with a shorter retention no more than lists do', async () => {
    const { kid, made, postings, posting } = await newBank();
    const planned = await planRows(service, { ...postings, rows: [postingColumns, posting('c', `${kid}-R1001`)] });
    clock.now += 60 * dayMs;
    const short = await issueShortToken();
    for (const importKid of [...made.map((each) => each.kid), planned.kid]) {
      assert.match(JSON.stringify(await readRows(service, importKid, manager.token)), /R1001/);
      const shown = await readRows(service, importKid, short);
      assert.equal(shown.length, 1);
      assert.doesNotMatch(JSON.stringify(shown), secrets);
    }
  });

  test('[imports.12] what a row was refused for with a value that its manager saw is not told another one', async () => {
    const { kid, postings, posting } = await newBank();
    const { status, json } = await sendRows(service, {
      ...postings,
      rows: [postingColumns, posting('a', `${kid}-R1002`)],
    });
    assert.equal(status, 202);
    const textsOf = async (reader: string): Promise<string> =>
      JSON.stringify(await readRows(service, json.kid, reader));
    assert.match(await textsOf(manager.token), /is sund-B\d+-R1001, and cannot be changed/);
    clock.now += 60 * dayMs;
    assert.doesNotMatch(await textsOf(await issueShortToken()), secrets);
  });
});
