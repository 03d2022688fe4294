// Receipt groups: which rows share a receipt, which have their own, and how the parts of a group on two pages fit
// together.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertSameAnswer,
  fetchAccount,
  closePeriodInBoth,
  fetchAndCompare,
  postingDraft,
  recordInBoth,
  type AccountAnswerWithRevision,
} from '../support/account-reads.ts';
import { expectedAccount } from '../support/account-oracle.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';
import { withBank } from '../support/with-bank.ts';

const wide = { coverage: 'all', retentionDays: null } as const;
const june = { From: '2026-06-01', Through: '2026-06-30' };

serviceSuite({ now: testNow }, (suite) => {
  const { service, manager } = suite;
  const residents = new Map([
    [1001, { name: 'Demo Resident 1001', expiredAt: null }],
    [1002, { name: 'Demo Resident 1002', expiredAt: null }],
    [1003, { name: 'Demo Resident 1003', expiredAt: testNow - 1 }],
  ]);
  const book = withBank(suite, { residents });

  /** The groups as the texts of their rows. */
  const groups = ({ items, documents }: AccountAnswerWithRevision): string[] => {
    const texts = new Map(items.map(({ kid, text }) => [kid, text]));
    return documents.map(({ entryKids }) => entryKids.map((kid) => texts.get(kid)).join(' '));
  };
  const part = (text: string, change: Parameters<typeof postingDraft>[1], minutes: number) =>
    postingDraft(testNow - minutes * 60_000, { documentId: 7, text, ...change });

  test('[account.24] rows of one document id are a group only within the same resident, location and period', async () => {
    const batch = (period: string, minutes: number) => [
      part(`${period}a1`, {}, minutes),
      part(`${period}b1`, { residentId: 1002 }, minutes + 1),
      part(`${period}c1`, { locationId: 2 }, minutes + 2),
      part(`${period}d1`, { documentId: 8 }, minutes + 3),
      part(`${period}a2`, { unitId: 2, kind: 'Discount', amountMinor: 30n }, minutes + 4),
      part(`${period}b2`, { residentId: 1002, unitId: 0 }, minutes + 5),
      part(`${period}e1`, { currency: 'EUR' }, minutes + 6),
    ];
    await recordInBoth(service, book, batch('1', 60));
    await closePeriodInBoth(service, book, testNow);
    // Late arrivals, between the others.
    await recordInBoth(service, book, batch('2', 61));
    const answer = await fetchAndCompare(service, manager.token, book, june, wide, testNow);
    const expected = ['1', '2'].flatMap((at) => [
      `${at}a1 ${at}a2`,
      `${at}b1 ${at}b2`,
      `${at}c1`,
      `${at}d1`,
      `${at}e1`,
    ]);
    assert.deepEqual(groups(answer).toSorted(), expected.toSorted());
  });

  test('[account.25, account.52] rows without a document id, with an invalid one, managed by a payment or without identity form groups of one', async () => {
    const alone: [string, Parameters<typeof postingDraft>[1]][] = [
      ['missing', { documentId: null }],
      ['zero', { documentId: 0 }],
      ['negative', { documentId: -7 }],
      ['managed', { paymentKind: 'Managed', kind: 'Payment' }],
      ['expired', { residentId: 1003 }],
      ['gdpr', { residentId: 0 }],
    ];
    const twice = [...alone, ...alone].map(([text, change], at) => part(text, change, at));
    await recordInBoth(service, book, [...twice, part('group', {}, 90), part('group', {}, 91)]);
    const { items, documents } = await fetchAndCompare(service, manager.token, book, june, wide, testNow);
    assert.equal(documents.length, twice.length + 1);
    const keys = items.map(({ documentKey }) => documentKey);
    assert.ok(keys.every((key) => typeof key === 'string' && key !== ''));
    assert.equal(new Set(keys).size, twice.length + 1);
    // Other payment kinds do not keep a row out of its document.
    const credits = (['Credit', 'ReserveRefund', ''] as const).map((paymentKind) =>
      part('more', { paymentKind, documentId: 9 }, 100),
    );
    await recordInBoth(service, book, credits);
    const more = await fetchAndCompare(service, manager.token, book, june, wide, testNow);
    assert.equal(more.documents.at(-1)?.count, 3);
  });

  test('[account.51] a group shows its resident, place, period and currency, and the sum of its rows', async () => {
    await recordInBoth(service, book, [
      part('', { amountMinor: -(2n ** 63n) }, 0),
      part('', { amountMinor: -(2n ** 63n) }, 1),
      part('', { locationId: 0, unitId: 0, currency: '' }, 2),
    ]);
    const { documents, items } = await fetchAndCompare(service, manager.token, book, june, wide, testNow);
    const [first] = documents;
    assert.deepEqual(Object.keys(first ?? {}), [
      'documentKey',
      'userKid',
      'locationKid',
      'period',
      'currency',
      'amountMinor',
      'count',
      'entryKids',
    ]);
    assert.deepEqual(documents, [
      {
        documentKey: items[0]?.documentKey ?? '',
        userKid: `${book.bankKid}-R1001`,
        locationKid: `${book.bankKid}-L1`,
        period: 0,
        currency: 'DKK',
        amountMinor: -(2n ** 64n),
        count: 2,
        entryKids: [`${book.bankKid}-X1`, `${book.bankKid}-X2`],
      },
      {
        documentKey: items[2]?.documentKey ?? '',
        userKid: `${book.bankKid}-R1001`,
        locationKid: null,
        period: 0,
        currency: null,
        amountMinor: -100n,
        count: 1,
        entryKids: [`${book.bankKid}-X3`],
      },
    ]);
  });

  test('[account.22, account.23] a page groups only its own rows, and equal keys identify the parts of a group', async () => {
    const amounts = [-1n, -20n, -300n, -4000n, -50_000n];
    await recordInBoth(
      service,
      book,
      amounts.flatMap((amountMinor, at) => [
        part('one', { amountMinor }, 2 * at),
        part('other', { amountMinor: 7n, documentId: 8 }, 2 * at + 1),
      ]),
    );
    const merged = new Map<string, { amount: bigint; count: number; kids: string[] }>();
    for (let Offset = 0; Offset < 10; Offset += 3) {
      const question = { ...june, Offset, Limit: 3 };
      const answer = await fetchAccount(service, manager.token, book, question);
      assertSameAnswer(answer, expectedAccount(book, question, wide, testNow));
      assert.equal(answer.items.length, Math.min(3, 10 - Offset));
      for (const { documentKey, amountMinor, count, entryKids } of answer.documents) {
        assert.equal(count, entryKids.length);
        const known = merged.get(documentKey) ?? { amount: 0n, count: 0, kids: [] };
        merged.set(documentKey, {
          amount: known.amount + amountMinor,
          count: known.count + count,
          kids: [...known.kids, ...entryKids],
        });
      }
    }
    assert.deepEqual(
      [...merged.values()].map(({ amount, count }) => [amount, count]),
      [
        [-54_321n, 5],
        [35n, 5],
      ],
    );
    const whole = await fetchAccount(service, manager.token, book, june);
    for (const { documentKey, entryKids, amountMinor } of whole.documents) {
      assert.deepEqual(merged.get(documentKey)?.kids, entryKids);
      assert.equal(merged.get(documentKey)?.amount, amountMinor);
    }
  });
});
