// The archive of a settlement: what is in it, that its figures are those of its own files, and that it stays the same.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { WriteDb } from '../../src/database/db.ts';
import { clearAudit } from '../support/audit.ts';
import { formatMysqlUrl } from '../support/mysql-url.ts';
import { closePeriodInBoth, postingDraft, createBankWithModel, recordInBoth } from '../support/account-reads.ts';
import { postingDrafts, exampleInstants, ledgerRuns } from '../support/account-arbitraries.ts';
import { decimal } from '../support/account-files.ts';
import { guardText } from '../support/csv.ts';
import { createToken } from '../support/factories.ts';
import { startInstance } from '../support/instances.ts';
import {
  expectedAccount,
  instantOf,
  type BankModel,
  type ModelPosting,
  type AccountViewer,
} from '../support/account-oracle.ts';
import { startService, type TestService } from '../support/service.ts';
import {
  archivePath,
  downloadArchive,
  expectedItem,
  readArchive,
  recomputeWithSqlite,
  postingsOfPeriod,
} from '../support/settlements.ts';
import { expectedTotals } from '../support/account-oracle.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, hourMs, testNow } from '../support/times.ts';
import { newBank } from '../support/with-bank.ts';

const longMs = 400 * 366 * dayMs;
const tenantWide: AccountViewer = { coverage: 'all', retentionDays: null };

/** The archive that each engine made of the same ledger. */
const made = new Map<string, Buffer>();

serviceSuite({ now: testNow }, (suite) => {
  const { engine, service, manager, clock } = suite;

  const residents = new Map([
    [1001, { name: "=cmd|' /C calc'!A0", expiredAt: null }],
    [1002, { name: 'Zoë, "洗濯" 👩‍👩‍👧', expiredAt: null }],
    [1003, { name: 'Expired', expiredAt: testNow }],
    [1004, { name: 'Expires later', expiredAt: testNow + hourMs }],
  ]);
  const newBook = (options: Parameters<typeof createBankWithModel>[1] = {}): Promise<BankModel> =>
    newBank(suite, { residents, openedAt: testNow - 30 * dayMs, ...options });

  /** Whose postings they are, as the account shows it. */
  function shown(
    book: BankModel,
    rows: readonly ModelPosting[],
    viewer: AccountViewer,
  ): Map<number, { userKid: string; userName: string }> {
    const ids = new Set(rows.map(({ id }) => id));
    const everything = { Period: rows[0]?.period ?? 1, Offset: 0, Limit: book.rows.length + 1 };
    const { items } = expectedAccount(book, everything, viewer, clock.now);
    return new Map(
      items.map((item) => [Number(/-X(\d+)$/.exec(item.kid)?.[1]), item] as const).filter(([id]) => ids.has(id)),
    );
  }

  const kid = (book: BankModel, { locationId, unitId }: ModelPosting): [string, string] => {
    const location = locationId === 0 ? '' : `${book.bankKid}-L${locationId}`;
    return [location, location === '' || unitId === 0 ? '' : `${location}-U${unitId}`];
  };

  test('[settlements.06, settlements.08, settlements.09, settlements.10] an archive holds the period’s postings, residents and totals, and a manifest of them', async () => {
    const worlds = fc.constantFrom(...exampleInstants).chain((at) =>
      fc.record({
        at: fc.constant(at),
        batches: fc.array(postingDrafts(at, { minLength: 0, maxLength: 90 }), { minLength: 2, maxLength: 3 }),
        retentionDays: fc.constantFrom(0, 1, 90, 20_000),
      }),
    );
    await fc.assert(
      fc.asyncProperty(worlds, async ({ at, batches, retentionDays }) => {
        clock.now = at;
        await clearAudit(service);
        const book = await newBook({ retentionDays, openedAt: at - longMs });
        for (const [which, batch] of batches.entries()) {
          if (which > 0) await closePeriodInBoth(service, book, at - (10 - which) * dayMs - which);
          if (batch.length > 0) await recordInBoth(service, book, batch);
        }
        for (const { period } of book.periods)
          compare(book, period, await downloadArchive(service, manager.token, book, period));
      }),
      ledgerRuns(5),
    );
    clock.now = testNow;
    await clearAudit(service);
  });

  function compare(book: BankModel, period: number, { bytes }: { readonly bytes: Buffer }): void {
    const rows = postingsOfPeriod(book, period);
    const identities = shown(book, rows, tenantWide);
    const { names, postings, residents: people, totals, manifest } = readArchive(bytes);
    assert.deepEqual(names, ['postings.csv', 'residents.csv', 'totals.csv', 'manifest.json']);
    assert.deepEqual(
      postings.map(({ documentKey: _key, ...row }) => row),
      rows.map((row) => {
        const [locationKid, unitKid] = kid(book, row);
        return {
          kid: `${book.bankKid}-X${row.id}`,
          recordedAtUtc: instantOf(row.recordedAt).toString({ smallestUnit: 'millisecond' }),
          locationKid,
          unitKid,
          userKid: identities.get(row.id)?.userKid,
          kind: row.kind,
          amountMinor: String(row.amountMinor),
          currency: row.currency,
          amount: decimal(row.amountMinor, row.currency),
        };
      }),
    );
    const groups = Map.groupBy(rows, (row) => `${identities.get(row.id)?.userKid} ${row.currency}`);
    const wanted = [...groups.values()].map((group) => {
      const [{ count, amountMinor } = { count: 0, amountMinor: 0n }] = expectedTotals(group);
      const { userKid = '', userName = '' } = identities.get(group[0]?.id ?? 0) ?? {};
      const { currency = '' } = group[0] ?? {};
      return {
        userKid,
        name: guardText(userName),
        currency,
        count: String(count),
        amountMinor: String(amountMinor),
        amount: decimal(amountMinor, currency),
      };
    });
    const order = (row: { userKid: string; currency: string }): string =>
      `${(/\d+$/.exec(row.userKid)?.[0] ?? '').padStart(9, '0')} ${row.currency || '~'}`;
    assert.deepEqual(
      people,
      wanted.toSorted((a, b) => (order(a) < order(b) ? -1 : 1)),
    );
    const told = expectedTotals(rows);
    assert.deepEqual(
      totals,
      told.map(({ currency, count, debitMinor, creditMinor, amountMinor }) => ({
        currency: currency ?? '',
        count: String(count),
        debitMinor: String(debitMinor),
        creditMinor: String(creditMinor),
        amountMinor: String(amountMinor),
        debit: decimal(debitMinor, currency),
        credit: decimal(creditMinor, currency),
        amount: decimal(amountMinor, currency),
      })),
    );
    const { fromUtc, throughUtc, closedAtUtc } = expectedItem(book, period);
    const { files, ...facts } = manifest as typeof manifest & { closedAtUtc: string; chain: string };
    assert.match(facts.chain, /^[\w-]{43}$/);
    assert.deepEqual(facts, {
      bankKid: book.bankKid,
      period,
      fromUtc,
      throughUtc,
      closedAtUtc,
      chain: facts.chain,
      totals: told,
    });
    assertRecomputed(bytes);
    assert.deepEqual(
      files.map(({ name, rows: count }) => [name, count]),
      [
        ['postings.csv', rows.length],
        ['residents.csv', people.length],
        ['totals.csv', totals.length],
      ],
    );
  }

  /** The figures that an archive tells are those that SQLite finds in its CSVs. */
  function assertRecomputed(bytes: Buffer): void {
    const { residents: people, totals, manifest } = readArchive(bytes);
    const found = recomputeWithSqlite(bytes);
    assert.deepEqual(found.files, manifest.files);
    const byManifest = manifest.totals.map(({ currency, count, debitMinor, creditMinor, amountMinor }) => [
      currency ?? '',
      count,
      ...[debitMinor, creditMinor, amountMinor].map(String),
    ]);
    assert.deepEqual(found.totals, byManifest);
    assert.deepEqual(
      found.totals.map((each) => each.map(String)),
      totals.map((row) => Object.values(row).slice(0, 5)),
    );
    const byResident = (rows: readonly (readonly string[])[]) => rows.map((row) => row.join('|')).toSorted();
    assert.deepEqual(
      byResident(found.residents.map((row) => row.map(String))),
      byResident(
        people.map(({ userKid = '', currency = '', count = '', amountMinor = '' }) => [
          userKid,
          currency,
          count,
          amountMinor,
        ]),
      ),
    );
  }

  /** A closed period of several batches, the same on both engines. */
  async function settledBook(bankId?: number): Promise<BankModel> {
    const book = await newBook(bankId === undefined ? {} : { bankId });
    const one = (at: number) =>
      postingDraft(testNow - at * 60_000, {
        locationId: at % 3,
        unitId: at % 2,
        residentId: [1000, 1001, 1002, 1003, 1004, 5005][at % 6] ?? 0,
        currency: ['DKK', 'EUR', ''][at % 3] ?? '',
        amountMinor: BigInt((at * 37) % 5000) - 3500n,
        documentId: at % 4 === 0 ? null : 1 + Math.floor(at / 8),
        paymentKind: at % 50 === 0 ? 'Managed' : '',
      });
    await recordInBoth(
      service,
      book,
      Array.from({ length: 4500 }, (_, at) => one(at)),
    );
    await closePeriodInBoth(service, book, testNow - hourMs);
    return book;
  }

  test('[settlements.06] a download is an attachment named after bank and period, and no other period’s', async () => {
    const book = await settledBook();
    const { headers, bytes } = await downloadArchive(service, manager.token, book, 1);
    assert.equal(headers['content-type'], 'application/zip');
    assert.equal(headers['content-disposition'], `attachment; filename="${book.bankKid}-settlement-1.zip"`);
    assert.equal(headers['cache-control'], 'no-store');
    compare(book, 1, { bytes });
    const { times } = readArchive(bytes);
    for (const time of times) assert.deepEqual(time, [2026, 6, 15, 8, 30, 0]);
    const head = await service.call('HEAD', archivePath(book, 1), manager);
    assert.deepEqual([head.status, head.text], [200, '']);
  });

  test('[settlements.06] the current period is 422 period-open, and can be downloaded once it is closed', async () => {
    const book = await settledBook();
    await recordInBoth(service, book, [postingDraft(testNow)]);
    const { status, json } = await service.call('GET', archivePath(book, 0), manager);
    assert.deepEqual([status, json.code], [422, 'period-open']);
    assert.equal((await service.call('GET', archivePath(book, 2), manager)).status, 404);
    await closePeriodInBoth(service, book, testNow);
    await downloadArchive(service, manager.token, book, 2);
  });

  test('[settlements.07] an archive is the same bytes every time, from any replica, whatever is written elsewhere', async () => {
    const book = await settledBook();
    const { bytes: first } = await downloadArchive(service, manager.token, book, 1);
    const same = async (from: Pick<TestService, 'call'>, with_ = manager.token): Promise<void> =>
      assert.ok(first.equals((await downloadArchive(from, with_, book, 1)).bytes));
    await same(service);
    const sibling = await startInstance(service);
    const storage = { storageUrl: settingOf(service), release: async () => {} };
    const replica = await startService(engine, { storage, clock: () => instantOf(clock.now).epochMilliseconds });
    try {
      await same(sibling);
      await same(replica);
      await recordInBoth(service, book, [
        postingDraft(testNow - 40_000),
        postingDraft(testNow - 60_000, { reversalOf: 2, amountMinor: 1n }),
      ]);
      await closePeriodInBoth(service, book, testNow);
      await service.write('sund', async (db) => {
        await db.updateTable('locations').set({ name: 'Renamed' }).where('bank_id', '=', book.bankId).execute();
        await db.updateTable('banks').set({ places_version: 2 }).where('bank_id', '=', book.bankId).execute();
      });
      // Later on the same day, and for another reader.
      clock.now = testNow + 1000;
      await same(service);
      await same(replica, (await createToken(service, { grants: [{ bankId: book.bankId, locationId: 0 }] })).token);
    } finally {
      clock.now = testNow;
      await clearAudit(service);
      await sibling.stop();
      await replica.stop();
    }
  });

  test('[settlements.07] one ledger is one archive, on either engine', async () => {
    const book = await settledBook(9000);
    const { bytes } = await downloadArchive(service, manager.token, book, 1);
    for (const [other, archive] of made) assert.ok(archive.equals(bytes), `as on ${other}`);
    made.set(engine, bytes);
  });

  test('[settlements.07, settlements.08, settlements.09] an expired identity disappears from the archive, and its rows can no longer be joined', async () => {
    const book = await settledBook();
    const { bytes: named } = await downloadArchive(service, manager.token, book, 1);
    try {
      clock.now = testNow + hourMs;
      const { bytes: unnamed } = await downloadArchive(service, manager.token, book, 1);
      assert.ok(!named.equals(unnamed));
      const { postings, residents: people } = readArchive(unnamed);
      assert.ok(people.every(({ userKid }) => userKid !== `${book.bankKid}-R1004`));
      assert.ok(readArchive(named).residents.some(({ userKid }) => userKid === `${book.bankKid}-R1004`));
      const nobody = `${book.bankKid}-R0`;
      for (const row of people) if (row['userKid'] === nobody) assert.equal(row['name'], '');
      const expired = postings.filter(({ userKid }) => userKid === nobody);
      assert.equal(
        expired.length,
        postingsOfPeriod(book, 1).filter(({ residentId }) => residentId === 1003 || residentId === 1004).length,
      );
      assert.equal(new Set(expired.map(({ documentKey }) => documentKey)).size, expired.length, 'none shares a key');
      for (const { kid: own, documentKey } of expired) assert.ok(own?.endsWith(`-${documentKey}`));
      assertRecomputed(unnamed);
      assert.deepEqual(readArchive(named).manifest.totals, readArchive(unnamed).manifest.totals);
    } finally {
      clock.now = testNow;
      await clearAudit(service);
    }
  });

  test('[settlements.08, settlements.09] after the retention of the tenant or of the manager, no name is left', async () => {
    const book = await settledBook();
    const { token: short } = await createToken(service, { retentionDays: 1, livesMs: longMs });
    const { postings, residents: people } = readArchive((await downloadArchive(service, short, book, 1)).bytes);
    const identities = shown(book, postingsOfPeriod(book, 1), { coverage: 'all', retentionDays: 1 });
    assert.deepEqual(
      postings.map(({ userKid }) => userKid),
      postingsOfPeriod(book, 1).map(({ id }) => identities.get(id)?.userKid),
    );
    assert.ok(people.length > 3 && people.some(({ userKid }) => userKid === `${book.bankKid}-R0`));
    const none = await newBook({ retentionDays: 0 });
    await recordInBoth(service, none, [postingDraft(testNow), postingDraft(testNow, { residentId: 1002 })]);
    await closePeriodInBoth(service, none, testNow);
    const anonymous = readArchive((await downloadArchive(service, manager.token, none, 1)).bytes);
    assert.deepEqual(
      anonymous.residents.map((row) => Object.values(row)),
      [[`${none.bankKid}-R0`, '', 'DKK', '2', '-200', '-2.00']],
    );
  });

  test('[settlements.10] an empty period has an archive of empty files', async () => {
    const book = await newBook();
    await closePeriodInBoth(service, book, testNow - 1);
    await recordInBoth(service, book, [postingDraft(testNow)]);
    await closePeriodInBoth(service, book, testNow);
    const { bytes } = await downloadArchive(service, manager.token, book, 1);
    compare(book, 1, { bytes });
    assert.deepEqual(readArchive(bytes).postings, []);
    assert.deepEqual(readArchive((await downloadArchive(service, manager.token, book, 2)).bytes).postings.length, 1);
  });

  test('[settlements.08, settlements.09, settlements.10] amounts at the ends of 64 bits, and their sums beyond, keep every digit', async () => {
    const book = await newBook();
    const most = 2n ** 63n - 1n;
    const amounts = [most, most, -most - 1n, -most - 1n, -most - 1n, 1n];
    await recordInBoth(
      service,
      book,
      amounts.map((amountMinor) => postingDraft(testNow, { amountMinor })),
    );
    await closePeriodInBoth(service, book, testNow);
    const { bytes } = await downloadArchive(service, manager.token, book, 1);
    compare(book, 1, { bytes });
    assert.equal(readArchive(bytes).totals[0]?.['debitMinor'], '-27670116110564327424');
  });

  test('[general.33] postings that do not add up to the settlement’s totals give no archive', async () => {
    const spoil: ((db: WriteDb, bankId: number) => Promise<unknown>)[] = [
      (db, id) =>
        sql`update postings set amount_minor = amount_minor + 1 where bank_id = ${id} and posting_id = 4400`.execute(
          db,
        ),
      (db, id) => sql`delete from postings where bank_id = ${id} and posting_id = 4400`.execute(db),
      (db, id) => sql`update posting_rollups set count = count + 1 where bank_id = ${id} and grain = 4`.execute(db),
      (db, id) =>
        sql`update posting_rollups set amount_low = amount_low + 1 where bank_id = ${id} and grain = 4`.execute(db),
      (db, id) => sql`update postings set period = 2 where bank_id = ${id} and posting_id = 4400`.execute(db),
    ];
    for (const damage of spoil) {
      const book = await settledBook();
      await downloadArchive(service, manager.token, book, 1);
      await service.write('sund', (db) => damage(db, book.bankId));
      await assert.rejects(service.call('GET', archivePath(book, 1), manager), /aborted/);
    }
  });
});

function settingOf({ dependencies }: TestService): string {
  const { storage } = dependencies.config;
  if (storage.engine === 'sqlite') return `sqlite:${storage.directory}`;
  return formatMysqlUrl(storage);
}
