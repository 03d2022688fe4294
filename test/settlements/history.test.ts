// The settlements of a bank, and one of them by location and by kind, against sums taken posting by posting.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { permissions, tabs, type Permission } from '../../src/permissions/matrix.ts';
import {
  closePeriodInBoth,
  postingDraft,
  createBankWithModel,
  recordInBoth,
  comparableRefusal,
} from '../support/account-reads.ts';
import { postingDrafts, exampleInstants, ledgerRuns } from '../support/account-arbitraries.ts';
import { insertTestBank, type ManagerOptions } from '../support/factories.ts';
import { type BankModel } from '../support/account-oracle.ts';
import {
  archivePath,
  fetchSettlements,
  expectedItem,
  expectedPeriod,
  postingsOfPeriod,
  settlementsPath,
  type SettlementTotal,
} from '../support/settlements.ts';
import { expectedTotals } from '../support/account-oracle.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, testNow } from '../support/times.ts';
import { newBank } from '../support/with-bank.ts';

type Item = ReturnType<typeof expectedItem>;
type History = { bankKid: string; revision: string; items: Item[] };
type Period = ReturnType<typeof expectedPeriod> & { bankKid: string; revision: string };

serviceSuite({ now: testNow }, (suite) => {
  const { service, manager, nextBankId, issueToken } = suite;

  const newBook = (options: Parameters<typeof createBankWithModel>[1] = {}): Promise<BankModel> =>
    newBank(suite, { openedAt: testNow - 400 * dayMs, ...options });
  const history = (book: BankModel): Promise<History> =>
    fetchSettlements(service, manager.token, settlementsPath(book));
  const period = (book: BankModel, number: number): Promise<Period> =>
    fetchSettlements(service, manager.token, settlementsPath(book, `/${number}`));

  test('[settlements.02, settlements.03, settlements.04, settlements.05] history, totals, locations and kinds are the sums of the postings', async () => {
    const worlds = fc
      .constantFrom(...exampleInstants)
      .chain((at) => fc.array(postingDrafts(at, { minLength: 0, maxLength: 80 }), { minLength: 1, maxLength: 4 }));
    await fc.assert(
      fc.asyncProperty(worlds, async (batches) => {
        const book = await newBook();
        for (const [at, batch] of batches.entries()) {
          if (at > 0) await closePeriodInBoth(service, book, testNow - (10 - at) * dayMs);
          if (batch.length > 0) await recordInBoth(service, book, batch);
        }
        const { bankKid, items } = await history(book);
        assert.equal(bankKid, book.bankKid);
        const numbers = [0, ...book.periods.map((each) => each.period).toReversed()];
        assert.deepEqual(
          items,
          numbers.map((number) => expectedItem(book, number)),
        );
        for (const number of numbers) {
          const { revision: _revision, bankKid: _kid, ...told } = await period(book, number);
          assert.deepEqual(told, expectedPeriod(book, number));
          for (const parts of [told.locations, told.kinds]) assert.deepEqual(together(parts), told.totals);
        }
      }),
      ledgerRuns(6),
    );
  });

  /** The totals of all parts, added up by currency. */
  function together(parts: readonly { readonly totals: readonly SettlementTotal[] }[]): SettlementTotal[] {
    const byCurrency = Map.groupBy(
      parts.flatMap(({ totals }) => totals),
      ({ currency }) => currency,
    );
    const added = [...byCurrency].map(([currency, totals]) =>
      totals.reduce((a, b) => ({
        currency,
        count: a.count + b.count,
        debitMinor: a.debitMinor + b.debitMinor,
        creditMinor: a.creditMinor + b.creditMinor,
        amountMinor: a.amountMinor + b.amountMinor,
      })),
    );
    return added.toSorted((a, b) => ((a.currency ?? '~') < (b.currency ?? '~') ? -1 : 1));
  }

  test('[settlements.02, settlements.04] the current period comes first and is provisional, and closed periods never change', async () => {
    const book = await newBook();
    await recordInBoth(service, book, [
      postingDraft(testNow - 3 * dayMs),
      postingDraft(testNow - 3 * dayMs, { amountMinor: 250n }),
    ]);
    const open = await history(book);
    assert.deepEqual(
      open.items.map((item) => [item.period, item.provisional, item.downloadable, item.throughUtc, item.closedAtUtc]),
      [[0, true, false, null, null]],
    );
    await closePeriodInBoth(service, book, testNow - 2 * dayMs);
    const closed = await period(book, 1);
    assert.deepEqual(closed.totals, open.items[0]?.totals);
    // It happened in the closed period, and comes late: it belongs to the open one.
    await recordInBoth(service, book, [postingDraft(testNow - 3 * dayMs, { amountMinor: -7n })]);
    const { items } = await history(book);
    assert.deepEqual(
      items.map((item) => [item.period, item.provisional, item.downloadable]),
      [
        [0, true, false],
        [1, false, true],
      ],
    );
    assert.deepEqual(items[0]?.totals, expectedTotals(postingsOfPeriod(book, 0)));
    assert.deepEqual(await period(book, 1), closed);
  });

  test('[settlements.04] all of many periods are listed, newest first, and an empty one has no totals', async () => {
    const book = await newBook();
    for (let number = 1; number <= 130; number += 1) {
      if (number % 3 === 0)
        await recordInBoth(service, book, [postingDraft(testNow - number, { amountMinor: BigInt(-number) })]);
      await closePeriodInBoth(service, book, testNow - (200 - number) * dayMs);
    }
    const { items } = await history(book);
    assert.deepEqual(
      items.map((item) => item.period),
      [0, ...Array.from({ length: 130 }, (_, at) => 130 - at)],
    );
    assert.deepEqual(
      items,
      [0, ...book.periods.map((each) => each.period).toReversed()].map((each) => expectedItem(book, each)),
    );
    assert.deepEqual((await period(book, 1)).locations, []);
    assert.deepEqual((await period(book, 1)).kinds, []);
  });

  test('[settlements.05] postings without a place and at deleted places are included', async () => {
    const locations = [
      { id: 1, name: 'Location 1', units: [] },
      { id: 2, name: 'Location 2', deleted: true, units: [] },
    ];
    const book = await newBook({ locations });
    const most = 2n ** 63n - 1n;
    await recordInBoth(service, book, [
      postingDraft(testNow, { locationId: 1, amountMinor: most }),
      postingDraft(testNow, { locationId: 1, amountMinor: -most - 1n }),
      postingDraft(testNow, { locationId: 2, amountMinor: most, kind: 'Payment' }),
      postingDraft(testNow, { locationId: 77, currency: '', amountMinor: -1n }),
      postingDraft(testNow, { locationId: 0, unitId: 0, currency: 'EUR', amountMinor: -2n, kind: 'Month' }),
      postingDraft(testNow, { locationId: 0, unitId: 0, amountMinor: most, kind: 'Unknown' }),
    ]);
    const told = await period(book, 0);
    assert.deepEqual(
      told.locations.map(({ kid, name }) => [kid, name]),
      [
        [`${book.bankKid}-L1`, 'Location 1'],
        [`${book.bankKid}-L2`, 'Location 2'],
        [`${book.bankKid}-L77`, ''],
        [null, ''],
      ],
    );
    const { revision: _revision, bankKid: _kid, ...rest } = told;
    assert.deepEqual(rest, expectedPeriod(book, 0));
    assert.deepEqual(
      told.kinds.map(({ kind }) => kind),
      ['Consumption', 'Month', 'Payment', 'Unknown'],
    );
  });

  test('[settlements.04, settlements.05] the revision begins the ETag of exactly this answer', async () => {
    const book = await newBook();
    await recordInBoth(service, book, [postingDraft(testNow)]);
    await closePeriodInBoth(service, book, testNow);
    const paths = ['', '/0', '/1'].map((rest) => settlementsPath(book, rest));
    const etags = [];
    for (const path of paths) {
      const { headers, json } = await service.call('GET', path, manager);
      assert.ok(headers.etag?.startsWith(`"${json.revision}.`));
      const again = await service.call('GET', path, {
        token: manager.token,
        headers: { 'if-none-match': headers.etag ?? '' },
      });
      assert.deepEqual([again.status, again.text], [304, '']);
      etags.push(headers.etag ?? '');
    }
    assert.equal(new Set(etags).size, 3);
    await recordInBoth(service, book, [postingDraft(testNow)]);
    const statuses = [];
    for (const [at, path] of paths.entries())
      statuses.push(
        (await service.call('GET', path, { token: manager.token, headers: { 'if-none-match': etags[at] ?? '' } }))
          .status,
      );
    assert.deepEqual(statuses, [200, 200, 304]);
  });

  test('[settlements.05] an invalid period is 400, and one that does not exist is 404', async () => {
    const book = await newBook();
    await recordInBoth(service, book, [postingDraft(testNow)]);
    await closePeriodInBoth(service, book, testNow);
    for (const path of [
      (number: string) => settlementsPath(book, `/${number}`),
      (number: string) => archivePath(book, number),
    ]) {
      for (const number of ['-1', '01', '1.0', '1e0', 'x', '2147483648', '99999999999', '%20', '+1', '0x1']) {
        const { status, json } = await service.call('GET', path(number), manager);
        assert.deepEqual([status, json.code], [400, 'invalid-request'], number);
        assert.equal(json.errors[0].path, 'path.period');
      }
      // The open period's own number names nothing until it is closed.
      for (const number of ['2', '3', '2147483647']) {
        const { status, json } = await service.call('GET', path(number), manager);
        assert.deepEqual([status, json.code], [404, 'not-found'], number);
      }
      const query = await service.call('GET', `${path('1')}?Limit=1`, manager);
      assert.deepEqual([query.status, query.json.code], [400, 'invalid-request']);
    }
  });

  const figures: Permission[] = ['Bank.Read'];
  const withNames: Permission[] = ['Bank.Read', 'Location.Read', 'Unit.Read', 'User.Read'];

  test('[settlements.03, auth.20] settlements need Account2, Bank Read and a grant of the whole bank; the archive, which names residents, needs Location, Unit and User Read as well', async () => {
    const book = await newBook();
    await recordInBoth(service, book, [postingDraft(testNow)]);
    await closePeriodInBoth(service, book, testNow);
    const { bankId } = book;
    const paths: [path: string, needed: Permission[]][] = [
      [settlementsPath(book), figures],
      [settlementsPath(book, '/1'), figures],
      [archivePath(book, 1), withNames],
    ];
    const statusOf = async (path: string, options: ManagerOptions): Promise<string> => {
      const { status, json } = await service.call('GET', path, { token: await issueToken(options) });
      return status === 200 ? '200' : `${status} ${json.code} ${json.detail}`;
    };
    for (const [path, needed] of paths) {
      const least = { tabs: ['Account2'], permissions: needed } as const;
      for (const grants of [[{ bankId, locationId: 0 }], [{ bankId: 0, locationId: 0 }]])
        assert.equal(await statusOf(path, { ...least, grants }), '200');
      const noTab = { tabs: tabs.filter((tab) => tab !== 'Account2') };
      assert.equal(await statusOf(path, noTab), '403 forbidden The operation needs the Tab Account2.');
      for (const permission of needed) {
        const options = { permissions: permissions.filter((each) => each !== permission) };
        assert.equal(await statusOf(path, options), `403 forbidden The operation needs the permission ${permission}.`);
      }
      for (const grants of [[], [{ bankId, locationId: 1 }]])
        assert.equal(await statusOf(path, { grants }), '403 forbidden The operation needs a bank-wide grant.');
      assert.equal((await service.call('GET', path)).status, 401);
    }
  });

  test('[auth.38] a manager with only Bank and Location Read sees the figures of settlements, but gets no archive and no link to one', async () => {
    const book = await newBook();
    await recordInBoth(service, book, [postingDraft(testNow)]);
    await closePeriodInBoth(service, book, testNow);
    const token = await issueToken({ permissions: ['Bank.Read', 'Location.Read'] });
    const { json: me } = await service.call('GET', '/api/v1/session/me', { token });
    assert.deepEqual(
      [me.operations.GetBankSettlements, me.operations.GetBankSettlementPeriod, me.operations.DownloadBankSettlement],
      [true, true, false],
    );
    assert.equal((await service.call('GET', settlementsPath(book, '/1'), { token })).status, 200);
    for (const number of [0, 1, 2]) {
      const { status, json, bytes } = await service.call('GET', archivePath(book, number), { token });
      assert.deepEqual([status, json.code], [403, 'forbidden']);
      assert.ok(!bytes.includes('Resident'));
    }
  });

  test('[auth.41] a manager who sees a bank only through its locations gets 403, and one who does not see it gets 404', async () => {
    const [book, other, gone] = [await newBook(), await newBook(), nextBankId()];
    await service.write('sund', (db) => insertTestBank(db, { bankId: gone, deletedAt: 1 }));
    const grants = [
      { bankId: other.bankId, locationId: 0 },
      { bankId: book.bankId, locationId: 1 },
      { bankId: gone, locationId: 1 },
    ];
    const reader = await issueToken({ grants });
    for (const rest of ['', '/0', '/0/download.zip']) {
      const { status, json } = await service.call('GET', settlementsPath(book, rest), { token: reader });
      assert.deepEqual([status, json.code, json.detail], [403, 'forbidden', 'The operation needs a bank-wide grant.']);
      const elsewhere = await newBook();
      const unseen = [];
      for (const bankKid of [elsewhere.bankKid, `sund-B${gone}`, 'sund-B99999'])
        unseen.push(await service.call('GET', settlementsPath({ bankKid }, rest), { token: reader }));
      for (const bankKid of [`sund-B${gone}`, 'sund-B99999'])
        unseen.push(await service.call('GET', settlementsPath({ bankKid }, rest), manager));
      for (const reply of unseen) assert.deepEqual([reply.status, reply.json.code], [404, 'not-found']);
      assert.equal(new Set(unseen.map(comparableRefusal)).size, 1);
      const foreign = await service.call('GET', settlementsPath({ bankKid: 'fjord-B1001' }, rest), manager);
      assert.deepEqual([foreign.status, foreign.json.code], [400, 'invalid-kid']);
    }
  });

  test('[settlements.01] settlements can only be read, and reading changes nothing', async () => {
    const book = await newBook();
    await recordInBoth(service, book, [postingDraft(testNow)]);
    await closePeriodInBoth(service, book, testNow);
    const contents = () =>
      service.read('sund', async (db) => ({
        ledgers: await db.selectFrom('ledgers').selectAll().orderBy('bank_id').execute(),
        periods: await db.selectFrom('settlement_periods').selectAll().orderBy('bank_id').orderBy('period').execute(),
      }));
    const found = await contents();
    for (const path of [settlementsPath(book), settlementsPath(book, '/1'), archivePath(book, 1)]) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const { status, headers } = await service.call(method, path, manager);
        assert.deepEqual([status, headers.allow], [405, 'GET, HEAD, OPTIONS'], `${method} ${path}`);
      }
      assert.equal((await service.call('GET', path, manager)).status, 200);
    }
    assert.deepEqual(await contents(), found);
  });
});
