// The revision of receipts covers each rule of the bank: a change that a receipt or a balance shows changes the
// revision, and an invisible one does not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PostingDraft } from '../../src/features/account/rules/posting-draft.ts';
import { closePeriodInBoth, postingDraft, recordInBoth } from '../support/account-reads.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, testNow } from '../support/times.ts';
import { newBank } from '../support/with-bank.ts';
import type { ReceiptRules } from './support/receipts-oracle.ts';
import { applyReceiptRules, fetchReceiptsPage, fetchRefusal, plainRules, userKidOf } from './support/receipts.ts';

type Rules = Partial<ReceiptRules>;

/** The postings of each period, the open one last. */
type History = readonly (readonly PostingDraft[])[];

const days = (count: number): number => testNow - count * dayMs;
const purchase = (at: number, change: Partial<PostingDraft> = {}): PostingDraft =>
  postingDraft(at, { amountMinor: -1000n, ...change });

const inOpenPeriod: History = [[purchase(days(1)), purchase(days(2))]];
const inClosedPeriod: History = [[purchase(days(20)), purchase(days(21))], [postingDraft(days(1), { kind: 'Credit' })]];
/** The closed period is not shown: half of it is out of the retention. */
const partlyHidden: History = [
  [purchase(days(20)), purchase(days(200))],
  [purchase(days(1)), purchase(days(2))],
];
const inEuro: History = inOpenPeriod.map((drafts) => drafts.map((draft) => ({ ...draft, currency: 'EUR' })));
const paid: History = [
  [postingDraft(days(20), { kind: 'Payment', amountMinor: 5n })],
  [
    postingDraft(days(1), { kind: 'Payment', amountMinor: 5n }),
    postingDraft(days(2), { kind: 'Payment', amountMinor: 5n }),
  ],
];

serviceSuite({ now: testNow }, (suite) => {
  const { service, manager } = suite;

  const table: [what: string, isSeen: boolean, history: History, before: Rules, after: Rules][] = [
    ['a tax of purchases', true, inOpenPeriod, {}, { vatBasisPoints: 2500 }],
    ['another tax', true, inOpenPeriod, { vatBasisPoints: 2500 }, { vatBasisPoints: 1000 }],
    [
      'a bank type without the tax',
      true,
      inOpenPeriod,
      { vatBasisPoints: 2500 },
      { vatBasisPoints: 2500, bank: 'rent' },
    ],
    ['a tax where nothing was bought', false, paid, {}, { vatBasisPoints: 2500 }],
    ['a tax that is none', false, inOpenPeriod, {}, { vatBasisPoints: 10_001 }],
    ['an unused discount, in no balance', true, inOpenPeriod, {}, { discountBasisPoints: 100 }],
    ['another unused discount', true, inOpenPeriod, { discountBasisPoints: 100 }, { discountBasisPoints: 200 }],
    ['a discount of a closed period', true, inClosedPeriod, {}, { discountBasisPoints: 100 }],
    ['a discount that only balances hold', true, partlyHidden, {}, { discountBasisPoints: 100 }],
    ['a discount in another currency', false, inEuro, {}, { discountBasisPoints: 100 }],
    ['a discount where nothing was bought', false, paid, {}, { discountBasisPoints: 100 }],
    ['a transfer to rent', true, inClosedPeriod, {}, { bank: 'rent' }],
    ['a transfer that only balances hold', true, partlyHidden, {}, { bank: 'rent' }],
    ['a rent bank that has nothing to move', false, inOpenPeriod, {}, { bank: 'rent' }],
    ['a rent bank that owes', false, paid, {}, { bank: 'rent' }],
  ];
  for (const [what, isSeen, history, before, after] of table)
    test(`[receipts.07] ${what} ${isSeen ? 'makes another revision' : 'leaves the revision'}`, async () => {
      const book = await newBank(suite, { retentionDays: 100 });
      for (const [at, drafts] of history.entries()) {
        await recordInBoth(service, book, drafts);
        if (at + 1 < history.length) await closePeriodInBoth(service, book, days(10));
      }
      const fetchPage = (query = '') => fetchReceiptsPage(service, manager.token, userKidOf(book), query);
      await applyReceiptRules(service, book, { ...plainRules, ...before });
      const first = await fetchPage();
      await applyReceiptRules(service, book, { ...plainRules, ...after });
      const second = await fetchPage();
      if (isSeen) assert.notDeepEqual(second.items, first.items);
      else assert.deepEqual(second, first);
      for (const offset of [0, 1]) {
        const query = `offset=${offset}&revision=${first.revision}`;
        if (isSeen)
          assert.equal(await fetchRefusal(service, manager.token, userKidOf(book), query), '409 receipts-changed');
        else assert.deepEqual((await fetchPage(query)).items, first.items.slice(offset));
      }
    });
});
