// Pages of an account that follow each other by cursors: as of the first page, whatever is recorded, settled or reached by
// the clock between them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  accountPath,
  closePeriodInBoth,
  createBankWithModel,
  fetchAccount,
  fetchAndCompare,
  formatAccountQuery,
  postingDraft,
  recordInBoth,
  type AccountAnswerWithRevision,
} from '../support/account-reads.ts';
import { selectPostings, type AccountQuery, type BankModel } from '../support/account-oracle.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, hourMs, testNow } from '../support/times.ts';

const viewer = { coverage: 'all', retentionDays: null } as const;

/** Many postings share an instant, a place and a unit. */
const drafts = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) =>
    postingDraft(testNow - Math.floor((from + at) / 9) * hourMs, {
      locationId: at % 4,
      unitId: at % 4 === 0 ? 0 : at % 3,
      residentId: 1001 + (at % 3),
      kind: at % 5 === 0 ? 'Booking' : 'Consumption',
      amountMinor: BigInt((at % 7) - 3),
    }),
  );

serviceSuite({ now: testNow }, ({ service, manager, clock }) => {
  let nextBankId = 1001;
  async function newBook(): Promise<BankModel> {
    const book = await createBankWithModel(service, { bankId: nextBankId });
    nextBankId += 1;
    await recordInBoth(service, book, drafts(70));
    return book;
  }
  const kidsOf = (book: BankModel, question: AccountQuery): string[] =>
    selectPostings(book, question, viewer, testNow).map(({ id }) => `${book.bankKid}-X${id}`);
  const follow = (book: BankModel, question: AccountQuery, cursor: string | null) =>
    fetchAccount(service, manager.token, book, { ...question, Cursor: cursor ?? '' } as AccountQuery);

  async function readAll(book: BankModel, question: AccountQuery, betweenPages: (at: number) => Promise<void>) {
    const pages: AccountAnswerWithRevision[] = [await fetchAccount(service, manager.token, book, question)];
    for (let page = pages[0]!; page.nextCursor !== null; pages.push(page)) {
      await betweenPages(pages.length);
      page = await follow(book, question, page.nextCursor);
      assert.equal(
        page.offset,
        pages.reduce((sum, { items }) => sum + items.length, 0),
      );
    }
    return pages.flatMap(({ items }) => items.map(({ kid }) => kid));
  }

  test('[account.58] pages that follow each other are the rows of the first page’s time, whatever is recorded meanwhile', async () => {
    const week = { From: '2026-06-10', Through: '2026-06-15' };
    const questions: AccountQuery[] = [
      week,
      { ...week, location: 2 },
      { ...week, unit: [1, 1] },
      { ...week, user: 1002 },
      { ...week, IncludeBookings: false, Kind: 'debit' },
      { Period: 0 },
      { Period: 0, WithinDates: true, From: '2026-06-14', Through: '2026-06-15' },
    ];
    for (const question of questions)
      for (const Limit of [1, 7, 30]) {
        const book = await newBook();
        const expected = kidsOf(book, question);
        assert.ok(expected.length > 5);
        const read = await readAll(book, { ...question, Limit }, async (at) => {
          if (at < 4) await recordInBoth(service, book, drafts(3, at * 9));
        });
        assert.deepEqual(read, expected, JSON.stringify(question));
      }
  });

  test('[account.58] the current period of the first page stays selected when it is settled between two pages', async () => {
    const book = await newBook();
    const expected = kidsOf(book, { Period: 0 });
    const read = await readAll(book, { Period: 0, Limit: 40 }, async () => {
      await closePeriodInBoth(service, book, 1);
      await recordInBoth(service, book, drafts(5));
    });
    assert.deepEqual(read, expected);
  });

  test('[account.58] the day of the first page stays selected when the day turns between two pages', async () => {
    const book = await newBook();
    const expected = kidsOf(book, {});
    try {
      const read = await readAll(book, { Limit: 40 }, async () => {
        clock.now = testNow + dayMs;
      });
      assert.deepEqual(read, expected);
    } finally {
      clock.now = testNow;
    }
  });

  test('[account.58, general.57] a cursor is refused when it is altered, foreign, or combined with an offset', async () => {
    const [book, other] = [await newBook(), await newBook()];
    const question: AccountQuery = { From: '2026-06-10', Limit: 5 };
    const { nextCursor } = await fetchAccount(service, manager.token, book, question);
    const cursor = nextCursor ?? assert.fail('no further page');
    const query = (change: object): string => formatAccountQuery(book, { ...question, ...change });
    const wrong = [
      accountPath(book, query({ Cursor: `${cursor}A` })),
      accountPath(book, query({ Cursor: cursor.slice(1) })),
      accountPath(book, query({ Cursor: cursor, Offset: 1 })),
      accountPath(book, query({ Cursor: cursor, From: '2026-06-11' })),
      accountPath(book, query({ Cursor: cursor, Kind: 'debit' })),
      accountPath(other, query({ Cursor: cursor })),
    ];
    for (const path of wrong) {
      const { status, json } = await service.call('GET', path, manager);
      assert.deepEqual([status, json.code], [400, 'invalid-request'], path);
    }
    assert.equal((await follow(book, { ...question, Limit: 9 }, cursor)).items.length, 9, 'the limit may change');
  });

  test('[account.59] WithinDates selects the postings of a period that also lie within the dates', async () => {
    const book = await newBook();
    await closePeriodInBoth(service, book, 1);
    await recordInBoth(service, book, drafts(30));
    for (const Period of [0, 1, 2, 9]) {
      const both = { Period, From: '2026-06-15', Through: '2026-06-15' };
      for (const rest of [{}, { location: 1 }, { unit: [1, 1] as const }, { user: 1002 }])
        await fetchAndCompare(service, manager.token, book, { ...both, ...rest, WithinDates: true }, viewer, testNow);
      const whole = await fetchAccount(service, manager.token, book, both);
      assert.deepEqual([whole.from, whole.through], [null, null], 'without the parameter only the period selects');
      assert.equal(whole.totalCount, kidsOf(book, { Period }).length);
    }
  });
});
