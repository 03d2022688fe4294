// ExportBankAccount: the files hold everything that the account shows, for managers who can see it.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PostingDraft } from '../../src/features/account/rules/posting-draft.ts';
import { permissions, tabs } from '../../src/permissions/matrix.ts';
import {
  accountPath,
  closePeriodInBoth,
  postingDraft,
  formatAccountQuery,
  recordInBoth,
  comparableRefusal,
} from '../support/account-reads.ts';
import {
  fetchAccountCsv,
  fetchAccountFile,
  assertSameRows,
  expectedFileRows,
  exportPath,
  type AccountFileFormat,
} from '../support/account-files.ts';
import {
  postingDrafts,
  exampleInstants,
  accountQueryOf,
  ledgerRuns,
  accountQueryWishes,
} from '../support/account-arbitraries.ts';
import { clearAudit } from '../support/audit.ts';
import { guardText, parseCsv, readCsv, readCsvTable } from '../support/csv.ts';
import { insertTestBank, type ManagerOptions } from '../support/factories.ts';
import { type BankModel, type AccountQuery, type AccountViewer } from '../support/account-oracle.ts';
import { noXls2csv, readXls, readXlsWithCatdoc } from '../support/spreadsheets.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, testNow } from '../support/times.ts';
import { newBank } from '../support/with-bank.ts';

const tenantWide: AccountViewer = { coverage: 'all', retentionDays: null };
const formats: readonly AccountFileFormat[] = ['csv', 'xls'];
const columns = [
  'kid',
  'recordedAtUtc',
  'recordedAtMs2000',
  'recordedAtLocal',
  'locationKid',
  'locationName',
  'unitKid',
  'unitName',
  'userKid',
  'userName',
  'kind',
  'paymentKind',
  'text',
  'amountMinor',
  'amount',
  'currency',
  'vatMinor',
  'period',
  'documentKey',
  'reversalOfKid',
  'reversedByKid',
  'isAnonymized',
];

serviceSuite({ now: testNow }, (suite) => {
  const { service, manager, clock, nextBankId, issueToken } = suite;
  const longMs = 400 * 366 * dayMs;

  test('[account.54, account.55, account.57] a CSV holds the rows that the account shows, for every query and every manager', async () => {
    const worlds = fc.constantFrom(...exampleInstants).chain((at) =>
      fc.record({
        at: fc.constant(at),
        batches: fc.array(postingDrafts(at, { minLength: 30, maxLength: 80 }), { minLength: 2, maxLength: 3 }),
        retentionDays: fc.constantFrom(0, 1, 90, 400, 20_000),
        asked: fc.array(accountQueryWishes, { minLength: 8, maxLength: 8 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(worlds, async ({ at, batches, retentionDays, asked }) => {
        clock.now = at;
        await clearAudit(service);
        const residents = new Map([
          [1001, { name: 'Demo Resident 1001', expiredAt: null }],
          [1002, { name: 'Demo Resident 1002', expiredAt: clock.now }],
          [1003, { name: '=Čapek, "Ørjan"', expiredAt: clock.now + 1 }],
        ]);
        const book = await newBank(suite, { residents, retentionDays, openedAt: clock.now - longMs });
        for (const [batch, some] of batches.entries()) {
          if (batch > 0) await closePeriodInBoth(service, book, clock.now - (10 - batch) * dayMs);
          await recordInBoth(service, book, some);
        }
        for (const viewer of [tenantWide, { coverage: [1, 3], retentionDays: 30 }]) {
          const { coverage, retentionDays: days } = viewer;
          const grants = coverage === 'all' ? [0] : coverage;
          const reader = await issueToken({
            retentionDays: days,
            grants: grants.map((locationId) => ({ bankId: book.bankId, locationId })),
          });
          for (const wish of asked) {
            const { Offset: _offset, Limit: _limit, ...question } = accountQueryOf(book, wish, coverage);
            assertSameRows(
              await fetchAccountCsv(service, reader, book, question),
              expectedFileRows(book, question, viewer, clock.now),
            );
          }
        }
      }),
      ledgerRuns(4),
    );
    clock.now = testNow;
    await clearAudit(service);
  });

  /** A bank with one row of each kind that a file could get wrong. */
  async function oddBook(): Promise<BankModel> {
    const residents = new Map([
      [1001, { name: "=cmd|' /C calc'!A0", expiredAt: null }],
      [1002, { name: '-1+1', expiredAt: null }],
      [1003, { name: '+4512345678', expiredAt: null }],
      [1004, { name: 'Zoë “洗濯” 👩‍👩‍👧\u202E\u0007', expiredAt: null }],
      [1005, { name: 'a,b;"c"\r\n=d', expiredAt: null }],
      [1006, { name: 'Expired', expiredAt: clock.now - 1 }],
    ]);
    const book = await newBank(suite, { residents, retentionDays: 30 });
    const largest = 2n ** 63n - 1n;
    const odd: Partial<PostingDraft>[] = [
      { residentId: 1001, text: '=HYPERLINK("http://example.org")', amountMinor: largest, vatMinor: -largest - 1n },
      { residentId: 1002, text: '@SUM(1)', amountMinor: -largest - 1n, currency: 'EUR' },
      { residentId: 1003, text: '\t=1', amountMinor: 0n, documentId: Number.MAX_SAFE_INTEGER },
      { residentId: 1004, text: 'Tørring ✓ 𝄞', amountMinor: 999_999_999_999_999n },
      { residentId: 1005, text: 'x'.repeat(500), amountMinor: 1_000_000_000_000_000n, locationId: 0, unitId: 0 },
      { residentId: 1005, text: '\u200B＝1;=2' },
      { residentId: 1006, text: 'secret', documentId: 7 },
      { residentId: 1000, text: '', currency: '', kind: 'Unknown', paymentKind: 'Managed' },
      { residentId: 0, text: '-5', locationId: 2 },
    ];
    await recordInBoth(
      service,
      book,
      odd.map((each, at) => postingDraft(clock.now - at * 60_000, each)),
    );
    await recordInBoth(service, book, [
      postingDraft(clock.now - 60 * dayMs, { text: 'beyond retention', residentId: 1001 }),
    ]);
    await recordInBoth(service, book, [
      postingDraft(clock.now, { text: 'Wash', reversalOf: 9, locationId: 2, amountMinor: 100n }),
    ]);
    return book;
  }
  const wide: AccountQuery = { From: '2026-01-01', Through: '2026-06-15' };

  test('[account.57] formulas, odd characters, 64-bit extremes and expired identities are correct in a CSV', async () => {
    const book = await oddBook();
    const rows = await fetchAccountCsv(service, manager.token, book, wide);
    assertSameRows(rows, expectedFileRows(book, wide, tenantWide, clock.now));
    const by = (text: string) => rows.find((row) => row['text'] === text) ?? {};
    assert.equal(by('\'=HYPERLINK("http://example.org")')['userName'], "'=cmd|' /C calc'!A0");
    assert.equal(by('\'=HYPERLINK("http://example.org")')['amountMinor'], '9223372036854775807');
    assert.equal(by("'@SUM(1)")['amount'], '-92233720368547758.08');
    assert.equal(by("'@SUM(1)")['userName'], "'-1+1");
    assert.equal(by("'\t'=1")['userName'], '+4512345678');
    assert.equal(by("'\u200B＝1;'=2")['userName'], 'a,b;"c"\r\n\'=d');
    const expired = rows.filter((row) => row['isAnonymized'] === 'true');
    assert.equal(expired.length, 3);
    for (const row of expired)
      assert.deepEqual([row['userKid'], row['userName'], row['text']], [`${book.bankKid}-R0`, '', row['kind']]);
    const text = (await fetchAccountFile(service, manager.token, book, 'csv', wide)).text;
    for (const secret of ['secret', 'beyond retention', 'Expired']) assert.ok(!text.includes(secret));
  });

  test('[account.57] a CSV is UTF-8 with a byte order mark, quoted cells, commas and CRLF, under names that no language changes', async () => {
    const book = await oddBook();
    const files = [];
    for (const language of ['en', 'da']) {
      const reply = await fetchAccountFile(service, manager.token, book, 'csv', wide, { 'accept-language': language });
      assert.equal(reply.headers['content-type'], 'text/csv; charset=utf-8');
      assert.equal(reply.headers['content-language'], language);
      assert.match(reply.headers['vary'] ?? '', /Accept-Language/);
      assert.equal(reply.headers['cache-control'], 'no-store');
      const name = `${book.bankKid}-account-2026-01-01-2026-06-15.csv`;
      assert.equal(reply.headers['content-disposition'], `attachment; filename="${name}"`);
      assert.equal(reply.bytes.subarray(0, 3).toString('hex'), 'efbbbf');
      const [names, ...rows] = readCsv(reply.bytes.subarray(3).toString('utf8'));
      assert.deepEqual(names, columns);
      const cells = [columns, ...rows].map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','));
      assert.equal(reply.bytes.subarray(3).toString('utf8'), `${cells.join('\r\n')}\r\n`);
      files.push(rows);
    }
    const unitNames = files.map((rows) => rows.find((row) => row[0] === `${book.bankKid}-X1`)?.[7]);
    assert.deepEqual(unitNames, ['Washer 1', 'Vaskemaskine 1']);
    const byPeriod = await fetchAccountFile(service, manager.token, book, 'csv', { Period: 0 });
    assert.match(byPeriod.headers['content-disposition'] ?? '', /-account-period-0\.csv"$/);
  });

  test('[account.57] another parser reads the same CSV', async () => {
    const { bytes } = await fetchAccountFile(service, manager.token, await oddBook(), 'csv', wide);
    assert.deepEqual(parseCsv(bytes), readCsv(bytes.subarray(3).toString('utf8')));
  });

  test('[account.55, account.57] an XLS holds the same rows: texts as texts, numbers as numbers up to 15 digits', async () => {
    const book = await oddBook();
    const rows = await fetchAccountCsv(service, manager.token, book, wide);
    const reply = await fetchAccountFile(service, manager.token, book, 'xls', wide);
    assert.equal(reply.headers['content-type'], 'application/vnd.ms-excel');
    assert.match(reply.headers['content-disposition'] ?? '', /2026-06-15\.xls"$/);
    assert.equal(reply.headers['content-language'], 'en');
    const [names = [], ...cells] = readXls(reply.bytes).rows;
    assert.deepEqual(
      names.map((cell) => cell?.value),
      columns,
    );
    assert.equal(cells.length, rows.length);
    const numeric = new Set(['recordedAtMs2000', 'amountMinor', 'amount', 'vatMinor', 'period']);
    for (const [at, row] of rows.entries())
      for (const [column, name] of columns.entries()) {
        const wanted = row[name] ?? '';
        const cell = cells[at]?.[column];
        if (wanted === '') assert.equal(cell, undefined);
        else if (numeric.has(name) && wanted.replaceAll(/\D/g, '').length <= 15)
          assert.deepEqual(cell, { type: 'number', value: Number(wanted) });
        else {
          // No apostrophe is needed where a cell is stored as text.
          assert.deepEqual([cell?.type, guardText(String(cell?.value))], ['text', wanted], name);
        }
      }
  });

  test('[account.57] xls2csv reads the same XLS', { skip: noXls2csv }, async () => {
    const book = await newBank(suite);
    const times = Array.from({ length: 30 }, (_, at) =>
      postingDraft(clock.now - at, { text: `Vask ${at} ✓`, amountMinor: BigInt(-at) }),
    );
    await recordInBoth(service, book, times);
    const rows = await fetchAccountCsv(service, manager.token, book, {});
    const [names = [], ...read] = readXlsWithCatdoc(
      (await fetchAccountFile(service, manager.token, book, 'xls', {})).bytes,
    );
    assert.deepEqual(names, columns);
    assert.deepEqual(
      read.map((cells) =>
        columns
          .map((_, at) => cells[at] ?? '')
          .map((cell, at) => (columns[at] === 'amount' ? String(Number(cell)) : cell)),
      ),
      rows.map((row) => columns.map((name) => (name === 'amount' ? String(Number(row[name])) : (row[name] ?? '')))),
    );
  });

  test('[account.55] a selection without rows is a file with only its column names', async () => {
    const book = await newBank(suite);
    await recordInBoth(service, book, [postingDraft(clock.now - 40 * dayMs)]);
    const empty: AccountQuery[] = [{}, { Period: 7 }, { user: 0, Period: 0 }, { location: 1, unit: [2, 1], Period: 0 }];
    for (const question of empty) {
      const { bytes } = await fetchAccountFile(service, manager.token, book, 'csv', question);
      assert.deepEqual(readCsv(bytes.subarray(3).toString('utf8')), [columns]);
      const { rows } = readXls((await fetchAccountFile(service, manager.token, book, 'xls', question)).bytes);
      assert.deepEqual(
        rows.map((row) => row.map((cell) => cell?.value)),
        [columns],
      );
    }
  });

  test('[account.55] an export refuses every query that the account refuses, in the same words, and also Offset and Limit', async () => {
    const book = await newBank(suite);
    const queries = [
      'From=2026-13-01',
      'From=2026-06-16&Through=2026-06-15',
      'From=2025-06-14&Through=2026-06-16',
      'TimeZone=Mars%2FOlympus',
      'Period=-1',
      'Kind=none',
      'IncludeZero=maybe',
      'LocationKid=sund-B9999-L1',
      'UserKid=fjord-B1001-R1001',
      'Period=1&Period=2',
      'Unknown=1',
    ];
    for (const format of formats) {
      for (const query of queries) {
        const refused = await service.call('GET', exportPath(book, format, query), manager);
        const account = await service.call('GET', accountPath(book, query), manager);
        assert.equal(refused.status, 400, query);
        assert.equal(comparableRefusal(refused), comparableRefusal(account), query);
      }
      for (const query of ['Offset=0', 'limit=50']) {
        const { status, json } = await service.call('GET', exportPath(book, format, query), manager);
        assert.deepEqual([status, json.code], [400, 'invalid-request'], query);
      }
    }
    for (const format of ['pdf', 'CSV', 'xlsx', 'csv.gz', '%63sv2', 'html']) {
      const { status, json } = await service.call('GET', exportPath(book, format), manager);
      assert.deepEqual([status, json.code], [400, 'invalid-request'], format);
    }
    const none = await service.call('GET', exportPath(book, '').replace(/\.$/, ''), manager);
    assert.deepEqual([none.status, none.json.code], [404, 'unknown-route']);
  });

  test('[account.54, account.55] a manager who cannot read the account cannot export it, and is refused in the same words', async () => {
    const book = await newBank(suite);
    const gone = nextBankId();
    await service.write('sund', (db) => insertTestBank(db, { bankId: gone, deletedAt: 1 }));
    await recordInBoth(service, book, [postingDraft(clock.now), postingDraft(clock.now, { locationId: 2 })]);
    const without = (name: string): ManagerOptions => ({ permissions: permissions.filter((each) => each !== name) });
    const limited = { grants: [{ bankId: book.bankId, locationId: 1 }] };
    const cases: [ManagerOptions, string][] = [
      [{ tabs: tabs.filter((tab) => tab !== 'Account2') }, ''],
      ...['Bank.Read', 'Location.Read', 'Unit.Read', 'User.Read'].map((name): [ManagerOptions, string] => [
        without(name),
        '',
      ]),
      [{ grants: [] }, ''],
      [{ grants: [{ bankId: 9999, locationId: 0 }] }, ''],
      [limited, `LocationKid=${book.bankKid}-L2`],
      [limited, `UnitKid=${book.bankKid}-L2-U1`],
    ];
    for (const [options, query] of cases) {
      const reader = await issueToken(options);
      const account = await service.call('GET', accountPath(book, query), { token: reader });
      assert.equal(account.status, 403);
      for (const format of formats) {
        const refused = await service.call('GET', exportPath(book, format, query), { token: reader });
        assert.equal(comparableRefusal(refused), comparableRefusal(account));
      }
    }
    for (const bankKid of [`sund-B${gone}`, 'sund-B99999']) {
      const { status, json } = await service.call('GET', exportPath({ bankKid }, 'csv'), manager);
      assert.deepEqual([status, json.code, json.reason], [403, 'forbidden', 'missing-bank-read']);
    }
    const reader = await issueToken(limited);
    const rows = readCsvTable((await fetchAccountFile(service, reader, book, 'csv', {})).bytes);
    assert.deepEqual(
      rows.map((row) => row['locationKid']),
      [`${book.bankKid}-L1`],
    );
    assert.equal((await service.call('GET', exportPath(book, 'csv'))).status, 401);
    assert.equal((await service.call('GET', exportPath({ bankKid: 'fjord-B1001' }, 'csv'), manager)).status, 400);
  });

  test('HEAD answers the header fields of an export', async () => {
    const book = await newBank(suite);
    await recordInBoth(service, book, [postingDraft(clock.now)]);
    for (const format of formats) {
      const reply = await service.call('HEAD', exportPath(book, format, formatAccountQuery(book, {})), manager);
      assert.deepEqual([reply.status, reply.text], [200, '']);
      assert.match(reply.headers['content-disposition'] ?? '', new RegExp(`\\.${format}"$`));
    }
  });
});
