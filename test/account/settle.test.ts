// `settle` closes the open period once, by whichever process; a closed period never changes, and late postings lie in
// the open one.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { settle } from '../../src/commands/tenants/settle.ts';
import { readConfig } from '../../src/config.ts';
import type { Tables } from '../../src/database/tables.ts';
import { lockAndClosePeriod, lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import { toMs2000, formatUtc } from '../../src/lib/time/ms2000.ts';
import { grantBank } from '../support/granted-banks.ts';
import { runPortal } from '../support/portal-process.ts';
import { postingDraft } from '../support/account-reads.ts';
import { insertTestResident, setTenantSetting } from '../support/factories.ts';
import { createDeferred } from '../support/async.ts';
import { verifyBankLedger } from '../support/ledger-checks.ts';
import { runRefusedCommand } from '../support/refused-command.ts';
import { readLedgerRows, reverseEntry, readPostings } from '../support/reversal.ts';
import { createStorage } from '../support/service.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { newBankRows } from '../support/with-bank.ts';
import { dayMs, hourMs } from '../support/times.ts';

serviceSuite({}, (suite) => {
  const { engine, service, storage, manager } = suite;
  before(async () => {
    await service.write('sund', (db) => setTenantSetting(db, 'accountingRetentionDays', '400'));
  });

  const now = (): number => toMs2000(Date.now());
  const run = (...args: string[]) => runPortal(['settle', ...args], { PORTAL_STORAGE: storage.storageUrl });
  const refused = (bankId: number, ...args: string[]) =>
    runRefusedCommand(storage.storageUrl, 'settle', '--tenant', 'sund', '--bank', String(bankId), ...args);
  const settled = (bankId: number, ...args: string[]) => run('--tenant', 'sund', '--bank', String(bankId), ...args);
  /** A bank with two washes of yesterday in its open period. */
  async function settleableBank(openedAt = 0): Promise<number> {
    const bankId = await newBankRows(suite, { openedAt });
    await service.write('sund', async (db) => {
      await insertTestResident(db, 1001, { bankId });
      await lockAndAppendPostings(
        db,
        grantBank(bankId),
        [1, 2].map((tag) => postingDraft(now() - dayMs, { internalTag: tag })),
      );
    });
    return bankId;
  }
  const closings = (bankId: number): Promise<Tables['settlement_periods'][]> =>
    service.read('sund', (db) =>
      db.selectFrom('settlement_periods').selectAll().where('bank_id', '=', bankId).orderBy('period').execute(),
    );

  test('it closes the open period as of now, opens the next, and says so in one line', async () => {
    const bankId = await settleableBank();
    const known = await readPostings(service, bankId);
    const from = now();
    const { code, stdout, stderr } = await settled(bankId);
    assert.deepEqual([code, stderr], [0, '']);
    const [closing, ...others] = await closings(bankId);
    assert.deepEqual(others, []);
    const { period, from_at, through_at = 0, closed_at = 0 } = closing ?? {};
    assert.deepEqual([period, from_at, closed_at], [1, 0, through_at]);
    assert.ok(through_at >= from && through_at <= now());
    assert.equal(stdout, `sund-B${bankId}: period 1 closed through ${formatUtc(through_at)}; period 2 is open\n`);
    assert.deepEqual(await readPostings(service, bankId), known, 'no posting was touched');
    assert.deepEqual(await verifyBankLedger(service, bankId), []);
    const { json } = await service.call('GET', `/api/v1/banks/sund-B${bankId}/account?Period=1`, manager);
    assert.deepEqual([json.totalCount, json.items[0].period], [2, 1]);
  });

  test('a closed period never changes: a late posting and a reversal lie in the open one', async () => {
    const bankId = await settleableBank();
    await settled(bankId);
    const account = async (period: number): Promise<{ totals: unknown; revision: string; totalCount: number }> =>
      (await service.call('GET', `/api/v1/banks/sund-B${bankId}/account?Period=${period}`, manager)).json;
    const closedOnce = await account(1);
    const [closed] = await closings(bankId);
    await service.write('sund', (db) =>
      lockAndAppendPostings(db, grantBank(bankId), [postingDraft(now() - 30 * dayMs)]),
    );
    const { json } = await reverseEntry(service, 1, { token: manager.token, bankId });
    assert.equal(json.period, 0);
    const { totals, totalCount } = await account(1);
    assert.deepEqual([totals, totalCount], [closedOnce.totals, 2]);
    assert.equal((await account(0)).totalCount, 2);
    assert.deepEqual(
      (await readPostings(service, bankId)).map(({ period }) => period),
      [1, 1, 2, 2],
    );
    assert.equal((await settled(bankId, '--period', '2')).code, 0);
    assert.deepEqual((await closings(bankId))[0], closed);
    assert.deepEqual([(await account(1)).totals, (await account(2)).totalCount], [closedOnce.totals, 2]);
    assert.deepEqual(await verifyBankLedger(service, bankId), []);
  });

  test('a named period is closed once: a second run says so and changes nothing, and a later period is refused', async () => {
    const bankId = await settleableBank();
    assert.equal((await settled(bankId, '--period', '1')).code, 0);
    const known = await readLedgerRows(service, bankId);
    for (let times = 0; times < 2; times += 1) {
      const { code, stdout, stderr } = await settled(bankId, '--period', '1');
      assert.deepEqual([code, stderr], [0, '']);
      assert.equal(stdout, `sund-B${bankId}: period 1 was closed already; nothing was changed\n`);
    }
    const later = await refused(bankId, '--period', '3');
    assert.equal(later.code, 1);
    assert.equal(later.stderr, 'error: period 3 is not open yet: period 2 is\n');
    assert.deepEqual(await readLedgerRows(service, bankId), known);
  });

  test('a period without postings is closed only where it is named', async () => {
    const bankId = await settleableBank();
    await settled(bankId);
    const known = await readLedgerRows(service, bankId);
    const { code, stderr } = await refused(bankId);
    assert.equal(code, 1);
    assert.equal(stderr, 'error: period 2 has no postings: --period 2 closes it all the same\n');
    assert.deepEqual(await readLedgerRows(service, bankId), known);
    assert.equal((await settled(bankId, '--period', '2')).code, 0);
    assert.equal((await closings(bankId)).length, 2);
  });

  test('a period ends at the given time, which is neither before its beginning nor in the future', async () => {
    const began = now() - 10 * dayMs;
    const bankId = await settleableBank(began);
    const known = await readLedgerRows(service, bankId);
    for (const through of [began, began - 1]) {
      const { code, stderr } = await refused(bankId, '--through', formatUtc(through));
      assert.equal(code, 1);
      assert.equal(stderr, `error: period 1 began at ${formatUtc(began)}: it cannot end at ${formatUtc(through)}\n`);
    }
    assert.equal((await refused(bankId, '--through', formatUtc(now() + dayMs))).code, 2);
    assert.deepEqual(await readLedgerRows(service, bankId), known);
    const { code, stdout } = await settled(bankId, '--through', formatUtc(began + 1));
    assert.deepEqual([code, stdout.includes(formatUtc(began + 1))], [0, true]);
    const [closing] = await closings(bankId);
    assert.deepEqual([closing?.from_at, closing?.through_at], [began, began + 1]);
    assert.ok((closing?.closed_at ?? 0) > began + 9 * dayMs);
  });

  test('nothing is closed while the clock is behind the last event of the ledger', async () => {
    const bankId = await settleableBank();
    await service.write('sund', (db) =>
      db
        .updateTable('ledgers')
        .set({ last_write_at: now() + hourMs })
        .where('bank_id', '=', bankId)
        .execute(),
    );
    const known = await readLedgerRows(service, bankId);
    for (const args of [[], ['--period', '1'], ['--through', formatUtc(now() - 1)]]) {
      const { code, stderr } = await refused(bankId, ...args);
      assert.equal(code, 1);
      assert.match(stderr, /^error: The clock of the service is 3\d{3} seconds behind the last recorded time\. Set /);
    }
    assert.deepEqual(await readLedgerRows(service, bankId), known);
  });

  test('of several concurrent runs one closes the period; the others are refused, or report that it is closed', async () => {
    const [unnamed, named] = [await settleableBank(), await settleableBank()];
    const all = await Promise.all([1, 2, 3].map(() => settled(unnamed)));
    assert.deepEqual(
      all.map(({ code }) => code).toSorted((a, b) => Number(a) - Number(b)),
      [0, 1, 1],
    );
    assert.equal((await closings(unnamed)).length, 1);
    const again = await Promise.all([1, 2, 3].map(() => settled(named, '--period', '1')));
    assert.deepEqual(
      again.map(({ code }) => code),
      [0, 0, 0],
    );
    assert.equal(again.filter(({ stdout }) => stdout.includes('nothing was changed')).length, 2);
    assert.equal((await closings(named)).length, 1);
  });

  test('a run waits for another one, and is refused if that one has closed the period', async () => {
    const bankId = await settleableBank();
    const [closing, end] = [createDeferred(), createDeferred()];
    const other = service.write('sund', async (db) => {
      await lockAndClosePeriod(db, grantBank(bankId), now(), now());
      closing.resolve();
      await end.promise;
    });
    await closing.promise;
    const config = readConfig({ PORTAL_STORAGE: storage.storageUrl });
    const rejected = assert.rejects(settle(config, { tenant: 'sund', bank: String(bankId) }), {
      name: 'CommandError',
      exitCode: 1,
      message: 'another settle closed period 1 meanwhile',
    });
    // Long enough for the run to have seen the period open, which cannot be observed.
    await pause(1500);
    end.resolve();
    await other;
    await rejected;
    assert.equal((await closings(bankId)).length, 1);
    assert.deepEqual(await verifyBankLedger(service, bankId), []);
  });

  test('a missing bank and an outdated database are reported in one line', async () => {
    const missing = await refused(9999);
    assert.deepEqual([missing.code, missing.stderr], [2, 'error: --bank: there is no bank sund-B9999\n']);
    const empty = await createStorage(engine);
    const early = await runRefusedCommand(empty.storageUrl, 'settle', '--tenant', 'sund', '--bank', '1');
    assert.equal(early.code, 1);
    assert.match(early.stderr, /^error: [^\n]*migrate[^\n]*\n$/);
    await empty.release();
  });

  if (engine === 'sqlite')
    test('a wrong flag or value is named in one line, exit 2', async () => {
      const bank = ['--tenant', 'sund', '--bank', '1001'];
      const wrong: readonly (readonly [args: string[], expected: RegExp])[] = [
        [['--bank', '1001'], /--tenant/],
        [['--tenant', 'sund'], /--bank/],
        [['--tenant', 'nowhere', '--bank', '1001'], /unknown tenant nowhere/],
        [['--tenant', 'sund', '--bank', '01001'], /--bank 01001/],
        [['--tenant', 'sund', '--bank', 'fjord-B1001'], /--bank fjord-B1001/],
        [['--tenant', 'sund', '--bank', 'sund-B1001-L1'], /--bank sund-B1001-L1/],
        [[...bank, '--period', '0'], /--period/],
        [[...bank, '--period', 'next'], /--period/],
        [[...bank, '--through', 'today'], /--through/],
        [[...bank, '--through', '2026-06-01T00:00:00+02:00'], /--through/],
        [[...bank, '--dry-run'], /--dry-run/],
        [[...bank, 'more'], /too many arguments/],
      ];
      for (const [args, expected] of wrong) {
        const { code, stderr } = await runRefusedCommand(storage.storageUrl, 'settle', ...args);
        assert.equal(code, 2, `${args.join(' ')}: ${stderr}`);
        assert.match(stderr, /^error: [^\n]+\n$/);
        assert.match(stderr, expected);
      }
      const { code, stdout } = await run('--help');
      assert.equal(code, 0);
      for (const flag of ['--tenant', '--bank', '--period', '--through']) assert.ok(stdout.includes(flag), flag);
    });
});
