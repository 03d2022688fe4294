// Exports of as many rows as a file can hold: complete, in order, and a snapshot of their beginning, or refused.

import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import {
  closePeriodInBoth,
  postingDraft,
  createBankWithModel,
  formatAccountQuery,
  recordInBoth,
} from '../support/account-reads.ts';
import { fetchAccountCsv, exportPath, type AccountFileFormat } from '../support/account-files.ts';
import { sundHost } from '../support/call.ts';
import { readCsvTable } from '../support/csv.ts';
import { ms2000Of, selectPostings, type BankModel, type AccountQuery } from '../support/account-oracle.ts';
import { noXls2csv, readXlsWithCatdoc } from '../support/spreadsheets.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { hourMs, testNow } from '../support/times.ts';

const most = 65_535;
const limits = { timeout: 120_000 };
const wide: AccountQuery = { From: '2026-06-01', Through: '2026-06-15' };

// Seven thousand at each instant: batches end in the middle of an instant, of a place, of a unit.
const row = (at: number) =>
  postingDraft(testNow - Math.floor(at / 7000) * hourMs, {
    locationId: (at * 7) % 4,
    unitId: (at * 7) % 4 === 0 ? 0 : at % 3,
    residentId: 1001 + (at % 3),
    amountMinor: BigInt((at % 11) - 5),
    kind: at % 5 === 0 ? 'Booking' : 'Consumption',
    text: `Wash ${at}`,
  });

serviceSuite({ now: testNow }, ({ engine, service, manager }) => {
  let book: BankModel;
  before(async () => {
    book = await createBankWithModel(service);
    for (let from = 0; from < most; from += 5000)
      await recordInBoth(
        service,
        book,
        Array.from({ length: Math.min(5000, most - from) }, (_, at) => row(from + at)),
      );
    await recordInBoth(service, book, [postingDraft(ms2000Of('2026-05-31T12:00:00Z'))]);
  });

  const kidsOf = (question: AccountQuery): string[] =>
    selectPostings(book, question, { coverage: 'all', retentionDays: null }, testNow).map(
      ({ id }) => `${book.bankKid}-X${id}`,
    );

  /** Begins a download without reading its body. */
  async function begin(format: AccountFileFormat, question: AccountQuery): Promise<IncomingMessage> {
    const { port } = service;
    const path = exportPath(book, format, formatAccountQuery(book, question));
    const headers = { host: sundHost, authorization: `Bearer ${manager.token}` };
    return new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port, path, headers, agent: false }).on('response', resolve).on('error', reject);
    });
  }

  async function finish(response: IncomingMessage): Promise<Buffer | undefined> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of response) chunks.push(chunk as Buffer);
    } catch {
      return undefined;
    }
    return response.complete ? Buffer.concat(chunks) : undefined;
  }

  test('[account.56, account.57] 65,535 rows make a CSV, each once and in the account’s order', limits, async () => {
    // Files of so many rows take long to make and to check: each engine has half of the filters.
    const filtered: Record<typeof engine, AccountQuery[]> = {
      sqlite: [
        { Period: 0, IncludeZero: false },
        { ...wide, unit: [1, 1] },
      ],
      mariadb: [
        { ...wide, IncludeBookings: false, Kind: 'debit' },
        { Period: 0, user: 1002 },
      ],
    };
    for (const question of [wide, { ...wide, location: 2 }, ...filtered[engine]]) {
      const rows = await fetchAccountCsv(service, manager.token, book, question);
      assert.deepEqual(
        rows.map(({ kid }) => kid),
        kidsOf(question),
      );
    }
    assert.equal(kidsOf(wide).length, most);
  });

  test(
    '[account.56, account.57] 65,535 rows make an XLS, the same as the CSV',
    { ...limits, skip: noXls2csv },
    async () => {
      const response = await begin('xls', wide);
      assert.equal(response.statusCode, 200);
      const [names = [], ...cells] = readXlsWithCatdoc((await finish(response)) ?? Buffer.alloc(0));
      const columns = ['kid', 'recordedAtMs2000', 'unitKid', 'text', 'amountMinor', 'documentKey'];
      const picked = cells.map((each) => columns.map((name) => each[names.indexOf(name)] ?? ''));
      const rows = await fetchAccountCsv(service, manager.token, book, wide);
      assert.deepEqual(
        picked,
        rows.map((each) => columns.map((name) => each[name])),
      );
    },
  );

  test(
    '[account.56, general.33] 65,536 rows are a CSV, and 422 export-too-large as XLS, before anything is sent',
    limits,
    async () => {
      const oneMore: AccountQuery = { ...wide, From: '2026-05-31' };
      assert.equal(kidsOf(oneMore).length, most + 1);
      const path = exportPath(book, 'xls', formatAccountQuery(book, oneMore));
      const { status, json } = await service.call('GET', path, manager);
      assert.deepEqual([status, json.code], [422, 'export-too-large']);
      const rows = await fetchAccountCsv(service, manager.token, book, oneMore);
      assert.deepEqual(
        rows.map(({ kid }) => kid),
        kidsOf(oneMore),
      );
    },
  );

  test(
    '[general.33] storage that fails during a download aborts it: a partial file never ends as if it were whole',
    limits,
    async () => {
      const whole = await finish(await begin('csv', wide));
      const response = await begin('csv', wide);
      assert.equal(response.statusCode, 200);
      const rename = (from: string, to: string) =>
        service.write('sund', (db) => sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(db));
      await rename('postings', 'postings_away');
      try {
        assert.equal(await finish(response), undefined);
        for (const format of ['csv', 'xls'] as const) {
          const { status } = await service.call('GET', exportPath(book, format, formatAccountQuery(book, wide)), {
            token: manager.token,
          });
          assert.ok(status >= 500, String(status));
        }
      } finally {
        await rename('postings_away', 'postings');
      }
      assert.ok(whole?.equals((await finish(await begin('csv', wide))) ?? Buffer.alloc(0)));
    },
  );

  test(
    '[account.55, general.33] a file is the account at the beginning of its download, whatever is written during the download',
    limits,
    async () => {
      // The period is closed, the last row is reversed, rows are inserted between all others, and residents are
      // renamed.
      const questions: AccountQuery[] = [wide, { ...wide, Kind: 'credit' }, { Period: 0, IncludeZero: false }];
      const earlier = [];
      for (const question of questions) earlier.push(await finish(await begin('csv', question)));
      const begun = await Promise.all(questions.map((question) => begin('csv', question)));
      const last = selectPostings(book, wide, { coverage: 'all', retentionDays: null }, testNow).at(-1);
      const meanwhile = Array.from({ length: 50 }, (_, at) => row(at * 1300));
      await recordInBoth(service, book, [
        ...meanwhile,
        postingDraft(testNow - 1, { reversalOf: last?.id ?? 0, amountMinor: 5n }),
      ]);
      await closePeriodInBoth(service, book, testNow);
      await service.write('sund', (db) =>
        db.updateTable('residents').set({ name: 'Renamed' }).where('bank_id', '=', book.bankId).execute(),
      );
      for (const [at, response] of begun.entries()) {
        assert.equal(response.complete, false, 'it was under way');
        const file = await finish(response);
        assert.ok(file !== undefined && earlier[at]?.equals(file) === true, 'not a byte is another');
      }
      const rows = await fetchAccountCsv(service, manager.token, book, { ...wide, Kind: 'credit' });
      assert.equal(rows.length, kidsOf({ ...wide, Kind: 'credit' }).length);
      assert.notEqual(rows.length, readCsvTable(earlier[1] ?? Buffer.alloc(0)).length, 'the next one has it all');
      assert.ok(rows.every(({ period }) => period === '1'));
    },
  );
});
