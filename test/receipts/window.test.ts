// How far back receipts reach: 24 closed periods and the open one, the retention of identities, and residents who are
// deleted.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closePeriodInBoth, postingDraft, recordInBoth } from '../support/account-reads.ts';
import { createToken, setTenantSetting } from '../support/factories.ts';
import { ms2000Of } from '../support/account-oracle.ts';
import {
  fetchAllReceiptsPages,
  plainRules,
  fetchRefusal,
  applyReceiptRules,
  userKidOf,
  type ReceiptsPage,
} from './support/receipts.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, testNow } from '../support/times.ts';
import { withBank } from '../support/with-bank.ts';

const midnight = ms2000Of('2026-06-15T00:00:00Z');

serviceSuite({ now: testNow }, (suite) => {
  const { service, manager } = suite;
  const book = withBank(suite, { retentionDays: 400 });

  const items = async (bearer = manager.token): Promise<ReceiptsPage['items']> =>
    (await fetchAllReceiptsPages(service, bearer, userKidOf(book))).flatMap((page) => page.items);
  const retain = (days: string): Promise<void> =>
    service.write('sund', (db) => setTenantSetting(db, 'accountingRetentionDays', days));

  test('[receipts.08] the open period and the latest 24 closed ones are shown, and none before', async () => {
    for (let open = 1; open <= 28; open += 1) {
      await recordInBoth(service, book, [postingDraft(testNow - (30 - open) * dayMs)]);
      const closed = Array.from({ length: Math.min(24, open - 1) }, (_, at) => open - 1 - at);
      const shown = await items();
      assert.deepEqual(
        shown.map(({ period }) => period),
        [0, ...closed],
      );
      await closePeriodInBoth(service, book, testNow - (30 - open) * dayMs + 1);
    }
    const shown = await items();
    assert.deepEqual([shown.length, shown[0]?.period, shown.at(-1)?.period], [24, 28, 5], 'nothing is open');
  });

  test('[receipts.08] a period is shown by the time when it was open, whenever its postings happened', async () => {
    await recordInBoth(service, book, [postingDraft(testNow - dayMs, { text: 'Before its time' })]);
    for (let period = 1; period <= 25; period += 1)
      await closePeriodInBoth(service, book, testNow - 30 * dayMs + period * 1000);
    await recordInBoth(service, book, [postingDraft(testNow - 300 * dayMs, { text: 'Arrived late' })]);
    const shown = await items();
    assert.deepEqual(
      shown.map(({ period, lines }) => [period, lines[0]?.texts]),
      [[0, ['Arrived late']]],
    );
    // The balance still includes postings that are no longer shown, and the time of the latest one.
    assert.equal(shown[0]?.balanceAfterMinor, -100n);
    await recordInBoth(service, book, [postingDraft(testNow)]);
    assert.equal((await items())[0]?.balanceAfterMinor, -300n);
  });

  test('[receipts.09] a posting whose identity has expired is on no receipt, to the millisecond, and still in the balance', async () => {
    const first = midnight - 30 * dayMs;
    await recordInBoth(service, book, [
      postingDraft(first - 1, { amountMinor: -1n }),
      postingDraft(first, { amountMinor: -20n }),
      postingDraft(testNow, { amountMinor: -300n }),
    ]);
    const totals = async (bearer?: string): Promise<bigint[]> =>
      (await items(bearer)).map(({ totalMinor }) => totalMinor);
    const balances = async (): Promise<bigint[]> => (await items()).map((receipt) => receipt.balanceAfterMinor);
    assert.deepEqual(await totals(), [300n, 21n]);
    await retain('30');
    assert.deepEqual(await totals(), [300n, 20n]);
    assert.deepEqual(await balances(), [-321n, -21n]);
    const longer = await createToken(service, { retentionDays: 31 });
    assert.deepEqual(await totals(longer.token), [300n, 21n], 'the manager’s own retention comes first');
    const shorter = await createToken(service, { retentionDays: 1 });
    assert.deepEqual(await totals(shorter.token), [300n]);
    for (const none of ['0', '-1', 'ever']) {
      await retain(none);
      assert.deepEqual(await totals(), []);
      assert.deepEqual(await totals(shorter.token), [300n]);
    }
  });

  test('[receipts.09] a history is within both retentions of the tenant, to the millisecond; the manager’s own replaces both', async () => {
    const first = midnight - 30 * dayMs;
    await recordInBoth(service, book, [
      postingDraft(first - 1, { amountMinor: -1n }),
      postingDraft(first, { amountMinor: -20n }),
      postingDraft(testNow, { amountMinor: -300n }),
    ]);
    const surveil = (days: string | null): Promise<void> =>
      service.write('sund', async (db) => {
        await db.deleteFrom('tenant_settings').where('name', '=', 'surveillanceRetentionDays').execute();
        if (days !== null) await setTenantSetting(db, 'surveillanceRetentionDays', days);
      });
    const longer = await createToken(service, { retentionDays: 31 });
    const table: [accounting: string, surveillance: string | null, totals: bigint[]][] = [
      ['400', '31', [300n, 21n]],
      ['400', '30', [300n, 20n]],
      ['30', '400', [300n, 20n]],
      ['400', '29', [300n]],
      ['400', '0', []],
      ['400', 'ever', []],
      ['400', null, []],
    ];
    for (const [accounting, surveillance, totals] of table) {
      await retain(accounting);
      await surveil(surveillance);
      const shown = await items();
      assert.deepEqual(
        shown.map(({ totalMinor }) => totalMinor),
        totals,
        `${accounting} and ${surveillance}`,
      );
      if (totals.length > 0) assert.equal(shown[0]?.balanceAfterMinor, -321n);
      const byOwn = await items(longer.token);
      assert.deepEqual(
        byOwn.map(({ totalMinor }) => totalMinor),
        [300n, 21n],
      );
    }
    await surveil('100000');
  });

  test('[receipts.09] a calculated receipt is shown as long as all its sources', async () => {
    await applyReceiptRules(service, book, { ...plainRules, bank: 'rent', discountBasisPoints: 1000 });
    await recordInBoth(service, book, [
      postingDraft(midnight - 30 * dayMs, { amountMinor: -500n }),
      postingDraft(midnight - 20 * dayMs, { amountMinor: -500n }),
    ]);
    await closePeriodInBoth(service, book, midnight - 10 * dayMs);
    const told = async (): Promise<string[]> =>
      (await items()).map(({ kind, totalMinor, lines }) => `${kind} ${totalMinor}${lines[0]?.calculated ? ' *' : ''}`);
    await retain('30');
    assert.deepEqual(await told(), ['TransferToRent -900 *', 'Discount -100 *', 'Purchase 500', 'Purchase 500']);
    await retain('29');
    assert.deepEqual(await told(), ['Purchase 500']);
  });

  test('[receipts.10, receipts.26] a deleted resident is shown for the manager’s RetentionDays, whatever the tenant’s are', async () => {
    await recordInBoth(service, book, [postingDraft(testNow - 1)]);
    const deleted = async (at: number | null): Promise<void> => {
      await service.write('sund', async (db) => {
        const own = db.updateTable('residents').set({ deleted_at: at }).where('bank_id', '=', book.bankId);
        await own.where('resident_id', '=', 1001).execute();
      });
    };
    const kid = userKidOf(book);
    const of = async (retentionDays: number | null): Promise<string> =>
      (await createToken(service, { retentionDays })).token;
    const [none, zero, thirty] = [await of(null), await of(0), await of(30)];
    await deleted(midnight - 30 * dayMs);
    assert.equal((await items(thirty)).length, 1);
    for (const bearer of [none, zero]) assert.equal(await fetchRefusal(service, bearer, kid), '404 not-found');
    await deleted(midnight - 30 * dayMs - 1);
    assert.equal(await fetchRefusal(service, thirty, kid), '404 not-found');
    await deleted(null);
    for (const bearer of [none, zero, thirty]) assert.equal((await items(bearer)).length, 1);
  });

  test('[receipts.26] a resident who expires is not found from that instant on', async () => {
    const expires = async (at: number): Promise<void> => {
      await service.write('sund', async (db) => {
        const own = db.updateTable('residents').set({ expired_at: at }).where('bank_id', '=', book.bankId);
        await own.where('resident_id', '=', 1001).execute();
      });
    };
    await expires(testNow + 1);
    assert.deepEqual(await items(), []);
    await expires(testNow);
    const keeper = await createToken(service, { retentionDays: 3650 });
    for (const bearer of [manager.token, keeper.token])
      assert.equal(await fetchRefusal(service, bearer, userKidOf(book)), '404 not-found');
  });
});
