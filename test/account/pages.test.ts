// Order and pages: any offset and limit select the same rows of one order, however deep.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as fc from 'fast-check';
import {
  assertSameAnswer,
  fetchAccount,
  fetchRevision,
  fetchAndCompare,
  postingDraft,
  createBankWithModel,
  recordInBoth,
  type DocumentKeys,
} from '../support/account-reads.ts';
import { ledgerRuns } from '../support/account-arbitraries.ts';
import { createToken } from '../support/factories.ts';
import {
  expectedAccount,
  ms2000Of,
  type BankModel,
  type AccountQuery,
  type AccountViewer,
} from '../support/account-oracle.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { hourMs, testNow } from '../support/times.ts';

const wide: AccountViewer = { coverage: 'all', retentionDays: null };
const halfYear = { From: '2026-01-01', Through: '2026-06-30' };

/** Some 1900 postings: a crowded hour, an instant that 600 share, and the rest scattered over four months. */
const times: number[] = [
  ...Array.from({ length: 600 }, () => ms2000Of('2026-05-20T12:00:00Z')),
  ...Array.from({ length: 400 }, (_, at) => ms2000Of('2026-05-03T07:00:00Z') + at * 9000),
  ...Array.from({ length: 900 }, (_, at) => testNow - at * 3 * hourMs - (at % 7) * 977),
];

serviceSuite({ now: testNow }, ({ service, manager }) => {
  let limited: string;
  let book: BankModel;
  before(async () => {
    ({ token: limited } = await createToken(service, {
      grants: [1, 2].map((locationId) => ({ bankId: 1001, locationId })),
    }));
    book = await createBankWithModel(service);
    const kinds = ['Consumption', 'Booking', 'Consumption', 'Month'] as const;
    const drafts = times.map((time, at) =>
      postingDraft(time, {
        locationId: at % 3,
        unitId: at % 5 === 0 ? 0 : 1 + (at % 2),
        residentId: 1001 + (at % 3),
        kind: kinds[at % 4] ?? 'Unknown',
        amountMinor: BigInt((at % 11) - 6),
        documentId: at % 4 === 0 ? 1 + (at % 40) : null,
      }),
    );
    // The postings are not recorded in the order of their times.
    await recordInBoth(
      service,
      book,
      drafts.toSorted((a, b) => (a.recordedAt % 1009) - (b.recordedAt % 1009)),
    );
  });

  test('[account.17] rows are ordered newest first, then by location, then by unit', async () => {
    const small = await createBankWithModel(service, { bankId: 1002 });
    const places = [
      [2, 1],
      [0, 0],
      [1, 2],
      [1, 0],
      [1, 1],
      [2, 0],
    ] as const;
    const drafts = [testNow - 1, testNow, testNow - 2].flatMap((time) =>
      places.map(([locationId, unitId]) => postingDraft(time, { locationId, unitId })),
    );
    await recordInBoth(service, small, drafts);
    const { items } = await fetchAndCompare(service, manager.token, small, { From: '2026-06-15' }, wide, testNow);
    const order = ['- -', '1 -', '1 1', '1 2', '2 -', '2 1'];
    assert.deepEqual(
      items.map(({ recordedAtMs2000, locationKid, unitKid }) =>
        [testNow - recordedAtMs2000, locationKid?.split('-L')[1] ?? '-', unitKid?.split('-U')[1] ?? '-'].join(' '),
      ),
      [0, 1, 2].flatMap((age) => order.map((place) => `${age} ${place}`)),
    );
  });

  test('[account.22, account.23, account.26, account.35] pages of any sizes joined are the whole set, under one revision, with the groups of their own rows', async () => {
    const question = { ...halfYear, Kind: 'debit' as const, IncludeMonthly: false };
    const whole = expectedAccount(book, { ...question, Limit: 100_000 }, wide, testNow);
    assert.ok(whole.totalCount > 700);
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.integer({ min: 20, max: 200 })), async (sizes) => {
        const keys: DocumentKeys = new Map();
        const revisions = new Set<string>();
        const joined: string[] = [];
        for (;;) {
          const page = { ...question, Offset: joined.length, Limit: sizes.next().value };
          const answer = await fetchAccount(service, manager.token, book, page);
          revisions.add(assertSameAnswer(answer, expectedAccount(book, page, wide, testNow), keys));
          joined.push(...answer.items.map(({ kid }) => kid));
          assert.deepEqual(
            answer.documents.flatMap(({ entryKids }) => entryKids).toSorted(),
            answer.items.map(({ kid }) => kid).toSorted(),
          );
          if (!answer.hasMore) break;
        }
        assert.deepEqual(
          joined,
          whole.items.map(({ kid }) => kid),
        );
        assert.equal(revisions.size, 1);
        assert.deepEqual(
          [await fetchRevision(service, manager.token, book, { ...question, Offset: 99, Limit: 7 })],
          [...revisions],
        );
      }),
      ledgerRuns(3),
    );
  });

  const filters: AccountQuery[] = [
    {},
    { location: 1 },
    { unit: [2, 1] },
    { Kind: 'debit' },
    { IncludeZero: false, IncludeBookings: false },
    { From: '2026-05-20', Through: '2026-05-20', TimeZone: 'Asia/Kathmandu' },
    { From: '2026-05-03', Through: '2026-06-15', TimeZone: 'America/St_Johns' },
    { Period: 0 },
    { user: 1002 },
  ];

  test('[account.15, account.17] a deep offset begins at the same row as counting one by one, at every level and within an instant of many rows', async () => {
    const viewers: [string, AccountViewer][] = [
      [manager.token, wide],
      [limited, { coverage: [1, 2], retentionDays: null }],
    ];
    const around = fc.oneof(
      fc.constantFrom(498, 499, 500, 501, 1000, 1499, 1898, 1899, 1900, 100_000),
      fc.integer({ min: 0, max: 1950 }),
    );
    for (const filter of filters) {
      for (const [reader, viewer] of viewers) {
        const question = { ...halfYear, ...filter };
        const { totalCount } = expectedAccount(book, question, viewer, testNow);
        const edges = [totalCount - 1, totalCount, Math.floor(totalCount / 2)].filter((each) => each >= 0);
        for (const Offset of [...fc.sample(around, 5), ...edges]) {
          await fetchAndCompare(service, reader, book, { ...question, Offset, Limit: 30 }, viewer, testNow);
        }
      }
    }
  });

  test('[account.37] a later page shows the current rows, and has another revision only if the set has changed', async () => {
    const page = (Offset: number): AccountQuery => ({ ...halfYear, location: 2, Offset, Limit: 20 });
    const first = await fetchAccount(service, manager.token, book, page(0));
    const second = await fetchAndCompare(service, manager.token, book, page(20), wide, testNow);
    assert.equal(second.revision, first.revision);
    await recordInBoth(service, book, [postingDraft(testNow, { locationId: 1 })]);
    assert.equal(
      (await fetchAccount(service, manager.token, book, page(20))).revision,
      first.revision,
      'elsewhere is no change',
    );
    await recordInBoth(service, book, [postingDraft(testNow, { locationId: 2 })]);
    const moved = await fetchAndCompare(service, manager.token, book, page(20), wide, testNow);
    assert.notEqual(moved.revision, first.revision);
    assert.deepEqual(moved.items.slice(1), second.items.slice(0, -1));
    assert.deepEqual(moved.items[0], first.items.at(-1));
  });
});
