// The lines of receipts: the texts of each, and which postings are on none because their document comes to nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { PostingDraft } from '../../src/features/account/rules/posting-draft.ts';
import { closePeriodInBoth, postingDraft, recordInBoth } from '../support/account-reads.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, testNow } from '../support/times.ts';
import { newBank } from '../support/with-bank.ts';
import { fetchAllReceiptsPages, userKidOf, type ReceiptsPage } from './support/receipts.ts';

type Items = ReceiptsPage['items'];

/** The number of the posting that a line is of. */
const numberOf = ({ kid }: { readonly kid: string | null }): number => Number(kid?.split('-X')[1]);

serviceSuite({ now: testNow }, (suite) => {
  const { service, manager } = suite;

  /** The receipts of postings: those of each closed period, and at last those of the open one. */
  async function receiptsOf(...periods: readonly (readonly PostingDraft[])[]): Promise<Items> {
    const book = await newBank(suite);
    for (const [at, drafts] of periods.entries()) {
      if (at > 0) await closePeriodInBoth(service, book, testNow - (periods.length - at) * 1000);
      await recordInBoth(service, book, drafts);
    }
    return (await fetchAllReceiptsPages(service, manager.token, userKidOf(book))).flatMap(({ items }) => items);
  }
  const shownNumbers = (items: Items): number[] =>
    items.flatMap(({ lines }) => lines.map(numberOf)).toSorted((a, b) => a - b);

  test('[receipts.15] a line has the whole text of its posting, whatever it is and however often it occurs', async () => {
    const texts = [
      'Wash',
      'Wash',
      '',
      ' ',
      '  two blanks before, one after ',
      'Tørring, 60° – “Eco” <b>& more</b>',
      '=1+1',
      'a\\"b\\\\c/d\'e;f',
      'שטיפה 洗濯 👩‍👩‍👧',
      'é and é',
      'x'.repeat(499),
      '✓'.repeat(500),
    ];
    const drafts = texts.flatMap((text, at) => [
      postingDraft(testNow - at, { text, documentId: null }),
      // Several lines of one document, and of another location, day and kind.
      postingDraft(testNow - at, { text, documentId: 1 }),
      postingDraft(testNow - at, { text, documentId: 1, locationId: 2 }),
      postingDraft(testNow - at - 2 * dayMs, { text, kind: 'Payment', amountMinor: 5n }),
    ]);
    const lines = (await receiptsOf(drafts)).flatMap((receipt) => receipt.lines);
    assert.equal(lines.length, drafts.length);
    for (const line of lines) {
      const { text } = drafts[numberOf(line) - 1] ?? assert.fail();
      assert.deepEqual(line.texts, text === '' ? [] : [text]);
    }
  });

  test('[receipts.15] any text is shown as it was recorded', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 30 }), async (texts) => {
        const items = await receiptsOf(texts.map((each, at) => postingDraft(testNow - at, { text: each })));
        assert.deepEqual(
          items.flatMap(({ lines }) => lines.flatMap((line) => line.texts)),
          texts.filter((each) => each !== ''),
        );
      }),
      { numRuns: 6 },
    );
  });

  test('[receipts.23] a document of several lines with a sum of zero is left out completely', async () => {
    const inDocument = (documentId: number, ...amounts: bigint[]): PostingDraft[] =>
      amounts.map((amountMinor, at) => postingDraft(testNow - at - 1, { documentId, amountMinor }));
    const items = await receiptsOf([
      ...inDocument(1, -500n, 200n, 300n),
      ...inDocument(2, -500n, 200n, 299n),
      ...inDocument(3, 0n, 0n),
      ...inDocument(4, 2n ** 63n - 1n, 1n, -(2n ** 63n)),
      ...inDocument(5, 2n ** 63n - 1n, 2n, -(2n ** 63n)),
    ]);
    assert.deepEqual(shownNumbers(items), [4, 5, 6, 12, 13, 14]);
    assert.deepEqual(
      items.map(({ totalMinor }) => totalMinor),
      [0n],
    );
  });

  test('[receipts.23] the parts of a document on several receipts do not cancel each other out', async () => {
    const at = testNow - 10 * dayMs;
    const parts: [what: string, one: Partial<PostingDraft>, other: Partial<PostingDraft>][] = [
      ['day', {}, { recordedAt: at - dayMs }],
      ['location', {}, { locationId: 2 }],
      ['kind', {}, { kind: 'Credit' }],
      ['currency', {}, { currency: 'EUR' }],
    ];
    for (const [what, one, other] of parts) {
      const base = { documentId: 7, amountMinor: -500n };
      const items = await receiptsOf([
        postingDraft(at, { ...base, ...one }),
        postingDraft(at, { ...base, ...other, amountMinor: 500n }),
      ]);
      assert.deepEqual(
        items.map(({ totalMinor }) => totalMinor).toSorted((a, b) => Number(a - b)),
        [-500n, 500n],
        what,
      );
    }
    const split = await receiptsOf(
      [postingDraft(at, { documentId: 7, amountMinor: -500n })],
      [postingDraft(at, { documentId: 7, amountMinor: 500n })],
    );
    assert.deepEqual(
      split.map(({ period, totalMinor }) => [period, totalMinor]),
      [
        [0, -500n],
        [1, 500n],
      ],
    );
  });

  test('[receipts.23] monthly lines are on no receipt: neither on their own, nor in a document, nor in its sum', async () => {
    const month = { kind: 'Month', documentId: 7 } as const;
    const items = await receiptsOf([
      postingDraft(testNow - 1, { documentId: 7, amountMinor: -500n }),
      postingDraft(testNow - 2, { ...month, amountMinor: 500n }),
      postingDraft(testNow - 3, { documentId: 8, amountMinor: -40n }),
      postingDraft(testNow - 4, { documentId: 8, amountMinor: 40n }),
      postingDraft(testNow - 5, { ...month, documentId: 8, amountMinor: -1000n }),
      ...[-1000n, 0n, 1000n].flatMap((amountMinor) => [
        postingDraft(testNow - 6, { ...month, documentId: null, amountMinor }),
        postingDraft(testNow - dayMs, { ...month, locationId: 2, amountMinor }),
        postingDraft(testNow - 2 * dayMs, { ...month, currency: 'EUR', amountMinor }),
      ]),
    ]);
    assert.deepEqual(shownNumbers(items), [1]);
    assert.deepEqual(
      items.map(({ totalMinor, balanceAfterMinor }) => [totalMinor, balanceAfterMinor]),
      [[500n, -1000n]],
    );
  });

  test('[receipts.05, receipts.23] days on which all documents have a sum of zero give no receipts, and no page counts them', async () => {
    const items = await receiptsOf(
      Array.from({ length: 60 }, (_, day) => day).flatMap((day) => {
        const document = { documentId: 7 + day };
        const purchase = postingDraft(testNow - day * dayMs, { ...document, amountMinor: -30n });
        return day % 2 === 0 ? [purchase] : [purchase, { ...purchase, amountMinor: 30n }];
      }),
    );
    assert.equal(items.length, 30);
    assert.ok(items.every(({ totalMinor, lines }) => totalMinor === 30n && lines.length === 1));
  });
});
