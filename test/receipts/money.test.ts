// What receipts make of postings: kinds, signs, documents, tax, discounts, transfers, currencies and balances.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closePeriodInBoth, postingDraft, recordInBoth } from '../support/account-reads.ts';
import { ms2000Of } from '../support/account-oracle.ts';
import {
  applyReceiptRules,
  fetchAllReceiptsPages,
  fetchReceiptsPage,
  plainRules,
  userKidOf,
  type ReceiptsPage,
} from './support/receipts.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, testNow } from '../support/times.ts';
import { withBank } from '../support/with-bank.ts';

serviceSuite({ now: testNow }, (suite) => {
  const { service, manager } = suite;
  const book = withBank(suite);

  const items = async (): Promise<ReceiptsPage['items']> =>
    (await fetchReceiptsPage(service, manager.token, userKidOf(book))).items;
  const told = async (): Promise<string[]> =>
    (await items()).map(
      ({ kind, currency, totalMinor, lines }) =>
        `${kind} ${currency ?? '-'} ${totalMinor}${lines.some(({ calculated }) => calculated) ? ' *' : ''}`,
    );

  test('[receipts.11, receipts.13, receipts.15] a receipt and its lines have all their fields', async () => {
    await applyReceiptRules(service, book, { ...plainRules, vatBasisPoints: 2500 });
    await recordInBoth(service, book, [
      postingDraft(testNow - 1000, { text: 'Wash 60° “Eco”', amountMinor: -4500n }),
      postingDraft(testNow - 2000, { unitId: 0, text: '', amountMinor: -50n }),
      postingDraft(testNow - 3000, {
        locationId: 0,
        unitId: 0,
        kind: 'Payment',
        amountMinor: 10_000n,
        text: 'Payment',
      }),
    ]);
    const [purchase, payment] = await items();
    const { key, ...rest } = purchase ?? {};
    assert.equal(typeof key, 'string');
    const kid = (id: number): string => `${book.bankKid}-X${id}`;
    assert.deepEqual(rest, {
      date: '2026-06-15',
      locationKid: `${book.bankKid}-L1`,
      locationName: 'Location 1',
      timeZone: 'Europe/Copenhagen',
      period: 0,
      provisional: true,
      kind: 'Purchase',
      currency: 'DKK',
      totalMinor: 4550n,
      vatMinor: 910n,
      balanceAfterMinor: 5450n,
      lines: [
        {
          kid: kid(1),
          occurredAt: '2026-06-15T11:29:59.000+02:00',
          unitKid: `${book.bankKid}-L1-U1`,
          unitName: 'Washer 1',
          texts: ['Wash 60° “Eco”'],
          amountMinor: 4500n,
          calculated: false,
        },
        {
          kid: kid(2),
          occurredAt: '2026-06-15T11:29:58.000+02:00',
          unitKid: null,
          unitName: '',
          texts: [],
          amountMinor: 50n,
          calculated: false,
        },
      ],
    });
    assert.deepEqual(
      [payment?.locationKid, payment?.locationName, payment?.totalMinor, payment?.vatMinor, payment?.balanceAfterMinor],
      [null, '', -10_000n, null, 10_000n],
    );
  });

  test('[receipts.12, receipts.17, receipts.30] each kind has its receipt, charges are positive, and credits are negative', async () => {
    const day = (days: number): number => testNow - days * dayMs;
    await recordInBoth(service, book, [
      postingDraft(day(1), { amountMinor: -100n }),
      postingDraft(day(2), { amountMinor: 30n, reversalOf: null }),
      postingDraft(day(3), { kind: 'Booking', amountMinor: -40n }),
      postingDraft(day(4), { kind: 'Payment', amountMinor: 500n }),
      postingDraft(day(5), { kind: 'Payment', paymentKind: 'ReserveRefund', amountMinor: -60n }),
      postingDraft(day(6), { kind: 'Credit', amountMinor: 70n }),
      postingDraft(day(7), { kind: 'Discount', amountMinor: 8n }),
      postingDraft(day(8), { kind: 'TransferToRent', amountMinor: 9n }),
      postingDraft(day(9), { kind: 'Unknown', amountMinor: -11n }),
      postingDraft(day(10), { kind: 'Unknown', amountMinor: 12n }),
      postingDraft(day(11), { kind: 'Month', amountMinor: -13n }),
    ]);
    assert.deepEqual(await told(), [
      'Purchase DKK 100',
      'Purchase DKK -30',
      'Purchase DKK 40',
      'Payment DKK -500',
      'Payment DKK 60',
      'Payment DKK -70',
      'Discount DKK -8',
      'TransferToRent DKK -9',
      'Purchase DKK 11',
      'Payment DKK -12',
    ]);
  });

  test('[receipts.22] a difference in day, location, kind, period or currency makes another receipt, no other does', async () => {
    const at = testNow - dayMs;
    await recordInBoth(service, book, [postingDraft(at, { amountMinor: -1n })]);
    await closePeriodInBoth(service, book, testNow);
    const base = { kind: 'Consumption', locationId: 1, currency: 'DKK' } as const;
    await recordInBoth(service, book, [
      postingDraft(at, { ...base, amountMinor: -2n, documentId: 1, unitId: 1 }),
      postingDraft(at - 60_000, { ...base, amountMinor: -4n, documentId: 2, unitId: 2, text: 'Other', internalTag: 7 }),
      postingDraft(at, { ...base, kind: 'Booking', amountMinor: -8n, paymentKind: 'Managed', paymentReference: 'pay' }),
      postingDraft(at - dayMs, { ...base, amountMinor: -16n, documentId: 1 }),
      postingDraft(at, { ...base, locationId: 2, amountMinor: -32n, documentId: 1 }),
      postingDraft(at, { ...base, kind: 'Credit', amountMinor: -64n, documentId: 1 }),
      postingDraft(at, { ...base, currency: 'EUR', amountMinor: -128n, documentId: 1 }),
    ]);
    const totals = (await items()).map(({ totalMinor }) => totalMinor);
    assert.deepEqual(
      totals.toSorted((a, b) => Number(a - b)),
      [1n, 14n, 16n, 32n, 64n, 128n],
    );
  });

  test('[receipts.23] documents with a sum of zero and monthly lines are left out, and the rest stays', async () => {
    await recordInBoth(service, book, [
      postingDraft(testNow - 1, { amountMinor: -500n, documentId: 7 }),
      postingDraft(testNow - 2, { amountMinor: 500n, documentId: 7 }),
      postingDraft(testNow - 3, { amountMinor: 0n }),
      postingDraft(testNow - 4, { amountMinor: -30n, documentId: 8 }),
      postingDraft(testNow - 5, { amountMinor: 0n, documentId: 8 }),
      // Without a number, or managed by a payment, each stands by itself.
      postingDraft(testNow - 6, { amountMinor: -9n }),
      postingDraft(testNow - 7, { amountMinor: 9n }),
      postingDraft(testNow - 8, { amountMinor: -2n, documentId: 0 }),
      postingDraft(testNow - 9, { amountMinor: 2n, documentId: 0 }),
      postingDraft(testNow - 10, { amountMinor: -6n, documentId: 9, paymentKind: 'Managed', paymentReference: 'pay' }),
      postingDraft(testNow - 11, { amountMinor: 6n, documentId: 9, paymentKind: 'Managed', paymentReference: 'pay' }),
      postingDraft(testNow - 12, { kind: 'Month', amountMinor: -1000n }),
      postingDraft(testNow - dayMs, { amountMinor: -70n, documentId: 3 }),
      postingDraft(testNow - dayMs, { amountMinor: 70n, documentId: 3 }),
      postingDraft(testNow - 2 * dayMs, { kind: 'Month', amountMinor: -1000n }),
    ]);
    const [only, ...others] = await items();
    assert.deepEqual(others, []);
    assert.equal(only?.totalMinor, 30n);
    assert.deepEqual(
      only.lines.map(({ kid }) => Number(kid?.split('-X')[1])),
      [4, 5, 6, 7, 8, 9, 10, 11],
    );
    // What is left out is still stored.
    assert.equal(only.balanceAfterMinor, -2030n);
  });

  test('[receipts.21] only a cash bank’s purchases with a valid rate have tax, and refunds have theirs', async () => {
    await recordInBoth(service, book, [
      postingDraft(testNow - 1, { amountMinor: -999n, vatMinor: -1n }),
      postingDraft(testNow - dayMs, { amountMinor: 101n }),
      postingDraft(testNow - 2 * dayMs, { kind: 'Booking', currency: 'EUR', amountMinor: -1000n }),
      postingDraft(testNow - 3 * dayMs, { currency: '', amountMinor: -1000n }),
      postingDraft(testNow - 4 * dayMs, { kind: 'Payment', amountMinor: 1000n }),
      postingDraft(testNow - 5 * dayMs, { kind: 'Discount', amountMinor: 1000n }),
      postingDraft(testNow - 6 * dayMs, { kind: 'TransferToRent', amountMinor: 1000n }),
    ]);
    const taxes = async (change: Partial<typeof plainRules>): Promise<(bigint | null)[]> => {
      await applyReceiptRules(service, book, { ...plainRules, ...change });
      return (await items()).map(({ vatMinor }) => vatMinor);
    };
    const nothing = Array.from({ length: 7 }, () => null);
    assert.deepEqual(await taxes({ vatBasisPoints: 2500 }), [200n, -20n, 200n, 200n, null, null, null]);
    assert.deepEqual(await taxes({ vatBasisPoints: 10_000 }), [500n, -51n, 500n, 500n, null, null, null]);
    for (const vatBasisPoints of [null, 0, -1, 10_001]) assert.deepEqual(await taxes({ vatBasisPoints }), nothing);
    assert.deepEqual(await taxes({ bank: 'rent', vatBasisPoints: 2500 }), nothing);
  });

  test('[receipts.14, receipts.19, receipts.20, receipts.31] a discount in kroner is calculated for each period that has none stored; the current period’s is unused, and in no balance', async () => {
    await applyReceiptRules(service, book, { ...plainRules, discountBasisPoints: 500 });
    await recordInBoth(service, book, [
      postingDraft(testNow - 50 * dayMs, { amountMinor: -1039n }),
      postingDraft(testNow - 49 * dayMs, { currency: 'EUR', amountMinor: -1000n }),
      postingDraft(testNow - 49 * dayMs, { residentId: 1002, amountMinor: -100_000n }),
      postingDraft(testNow - 48 * dayMs, { kind: 'Payment', amountMinor: 700n }),
    ]);
    await closePeriodInBoth(service, book, ms2000Of('2026-04-30T22:00:00Z'));
    await recordInBoth(service, book, [
      postingDraft(testNow - 40 * dayMs, { amountMinor: -2000n }),
      postingDraft(testNow - 39 * dayMs, { kind: 'Discount', amountMinor: 1n }),
    ]);
    await closePeriodInBoth(service, book, ms2000Of('2026-05-31T22:00:00Z'));
    await recordInBoth(service, book, [postingDraft(testNow - 5000, { amountMinor: -4000n })]);
    const all = await items();
    assert.deepEqual(await told(), [
      'Discount DKK -200 *',
      'Purchase DKK 4000',
      'Discount DKK -1',
      'Purchase DKK 2000',
      'Discount DKK -51 *',
      'Payment DKK -700',
      'Purchase EUR 1000',
      'Purchase DKK 1039',
    ]);
    assert.deepEqual(
      all.map(({ balanceAfterMinor }) => balanceAfterMinor),
      [-6287n, -6287n, -2287n, -2288n, -288n, -339n, -1000n, -1039n],
    );
    const [provisional, , , , settled] = all;
    const { key: _, lines, ...rest } = settled ?? { key: '', lines: [] };
    assert.deepEqual(rest, {
      date: '2026-04-30',
      locationKid: null,
      locationName: '',
      timeZone: 'Europe/Copenhagen',
      period: 1,
      provisional: false,
      kind: 'Discount',
      currency: 'DKK',
      totalMinor: -51n,
      vatMinor: null,
      balanceAfterMinor: -288n,
    });
    assert.deepEqual(lines, [
      {
        kid: null,
        occurredAt: '2026-04-30T23:59:59.999+02:00',
        unitKid: null,
        unitName: '',
        texts: [],
        amountMinor: -51n,
        calculated: true,
      },
    ]);
    assert.deepEqual(
      [provisional?.date, provisional?.provisional, provisional?.period, provisional?.lines[0]?.occurredAt],
      ['2026-06-15', true, 0, '2026-06-15T11:29:55.000+02:00'],
    );
  });

  test('[receipts.14, receipts.31] a rent bank moves the amount owed at the end of a closed period to the rent, so that its receipts add up to zero', async () => {
    await applyReceiptRules(service, book, {
      ...plainRules,
      bank: 'rent',
      vatBasisPoints: 2500,
      discountBasisPoints: 1000,
    });
    await recordInBoth(service, book, [
      postingDraft(testNow - 50 * dayMs, { amountMinor: -1000n }),
      postingDraft(testNow - 49 * dayMs, { currency: 'EUR', amountMinor: -70n }),
      postingDraft(testNow - 49 * dayMs, { currency: '', amountMinor: -7n }),
      postingDraft(testNow - 48 * dayMs, { kind: 'Payment', amountMinor: 300n }),
      postingDraft(testNow - 47 * dayMs, { kind: 'Month', amountMinor: -5000n }),
    ]);
    await closePeriodInBoth(service, book, testNow - 45 * dayMs);
    await recordInBoth(service, book, [
      postingDraft(testNow - 40 * dayMs, { amountMinor: -1000n }),
      postingDraft(testNow - 39 * dayMs, { kind: 'TransferToRent', amountMinor: 20n }),
    ]);
    await closePeriodInBoth(service, book, testNow - 35 * dayMs);
    await recordInBoth(service, book, [postingDraft(testNow - 30 * dayMs, { amountMinor: -1000n })]);
    const all = await items();
    assert.deepEqual(await told(), [
      'Discount DKK -100 *',
      'Purchase DKK 1000',
      'Discount DKK -100 *',
      'TransferToRent DKK -20',
      'Purchase DKK 1000',
      'TransferToRent DKK -600 *',
      'TransferToRent EUR -70 *',
      'Discount DKK -100 *',
      'Payment DKK -300',
      'Purchase - 7',
      'Purchase EUR 70',
      'Purchase DKK 1000',
    ]);
    for (const currency of ['DKK', 'EUR']) {
      const first = all.filter((receipt) => receipt.period === 1 && receipt.currency === currency);
      assert.equal(
        first.reduce((sum, { totalMinor }) => sum + totalMinor, 0n),
        0n,
      );
    }
    // The monthly line is on no receipt, and so in no transfer: only the balance holds it.
    assert.deepEqual(
      all.map(({ balanceAfterMinor }) => balanceAfterMinor),
      [-6880n, -6880n, -5880n, -5980n, -6000n, -5000n, 0n, -5000n, -700n, -7n, -70n, -1000n],
    );
  });

  test('[receipts.19, receipts.31] every closed period of a rent bank ends with a balance of zero, shown or not', async () => {
    const rules = { ...plainRules, bank: 'rent', discountBasisPoints: 1000 } as const;
    await applyReceiptRules(service, book, rules);
    const end = (period: number): number => testNow - (30 - period) * 10 * dayMs;
    for (let period = 1; period <= 27; period += 1) {
      await recordInBoth(service, book, [
        postingDraft(end(period) - 3 * dayMs, { amountMinor: BigInt(-1000 - period) }),
        postingDraft(end(period) - 2 * dayMs, { currency: 'EUR', amountMinor: -70n }),
        postingDraft(end(period) - dayMs, { kind: 'Payment', amountMinor: 300n }),
      ]);
      await closePeriodInBoth(service, book, end(period));
    }
    await recordInBoth(service, book, [postingDraft(testNow, { amountMinor: -500n })]);
    const allItems = async (): Promise<ReceiptsPage['items']> =>
      (await fetchAllReceiptsPages(service, manager.token, userKidOf(book))).flatMap((page) => page.items);
    const all = await allItems();
    const transfers = all.filter(({ kind }) => kind === 'TransferToRent');
    assert.deepEqual(
      transfers.map(({ period, currency, balanceAfterMinor }) => [period, currency, balanceAfterMinor]),
      Array.from({ length: 24 }, (_, at) => [
        [27 - at, 'DKK', 0n],
        [27 - at, 'EUR', 0n],
      ]).flat(),
    );
    const current = all.slice(0, 2).map(({ kind, balanceAfterMinor }) => [kind, balanceAfterMinor]);
    assert.deepEqual(current, [
      ['Discount', -500n],
      ['Purchase', -500n],
    ]);
    // Of the period in which retention begins, the postings before it and what is calculated from them are not shown.
    await applyReceiptRules(service, book, { ...rules, surveillanceDays: 32 });
    assert.deepEqual(
      (await allItems()).map(({ kind, period, currency, balanceAfterMinor }) => [
        kind,
        period,
        currency,
        balanceAfterMinor,
      ]),
      [
        ['Discount', 0, 'DKK', -500n],
        ['Purchase', 0, 'DKK', -500n],
        ['TransferToRent', 27, 'EUR', 0n],
        ['Payment', 27, 'DKK', -727n],
        ['Purchase', 27, 'EUR', -70n],
      ],
    );
  });

  test('[receipts.18, receipts.31] each currency has its own receipts and its own balance, and the unknown one is null', async () => {
    await recordInBoth(service, book, [
      postingDraft(testNow - 4000, { currency: '', amountMinor: -7n }),
      postingDraft(testNow - 3000, { currency: 'EUR', amountMinor: -500n }),
      postingDraft(testNow - 2000, { currency: 'DKK', amountMinor: -40n }),
      postingDraft(testNow - 1000, { currency: '', kind: 'Credit', amountMinor: 2n }),
      postingDraft(testNow, { currency: 'DKK', kind: 'Payment', amountMinor: 100n }),
    ]);
    assert.deepEqual(
      (await items()).map(({ currency, totalMinor, balanceAfterMinor }) => [currency, totalMinor, balanceAfterMinor]),
      [
        ['DKK', -100n, 60n],
        [null, -2n, -5n],
        ['DKK', 40n, -40n],
        ['EUR', 500n, -500n],
        [null, 7n, -7n],
      ],
    );
  });

  test('[receipts.31] a balance includes everything recorded up to the receipt’s newest line, on any receipt', async () => {
    await recordInBoth(service, book, [
      postingDraft(testNow - 8000, { amountMinor: -1n }),
      postingDraft(testNow - 6000, { kind: 'Payment', amountMinor: 20n }),
      postingDraft(testNow - 4000, { amountMinor: -300n }),
      postingDraft(testNow - 2000, { kind: 'Month', amountMinor: -4000n }),
      postingDraft(testNow - 2000, { kind: 'Payment', amountMinor: 50_000n }),
      postingDraft(testNow - 1000, { kind: 'Month', amountMinor: -600_000n }),
    ]);
    assert.deepEqual(
      (await items()).map(({ kind, balanceAfterMinor }) => [kind, balanceAfterMinor]),
      [
        ['Payment', 45_719n],
        ['Purchase', -281n],
      ],
    );
  });

  test('[receipts.16] amounts are exact at both limits of 64 bits, and so are sums beyond', async () => {
    const [least, most] = [-(2n ** 63n), 2n ** 63n - 1n];
    await applyReceiptRules(service, book, { ...plainRules, vatBasisPoints: 2500 });
    await recordInBoth(service, book, [
      postingDraft(testNow - 3 * dayMs, { amountMinor: least }),
      postingDraft(testNow - 2 * dayMs, { kind: 'Payment', amountMinor: most }),
      postingDraft(testNow - dayMs, { amountMinor: -(2n ** 53n) - 1n }),
      postingDraft(testNow, { amountMinor: -most, documentId: 1 }),
      postingDraft(testNow, { amountMinor: -most, documentId: 2 }),
    ]);
    assert.deepEqual(
      (await items()).map(({ totalMinor, vatMinor, balanceAfterMinor }) => [totalMinor, vatMinor, balanceAfterMinor]),
      [
        [2n * most, 3_689_348_814_741_910_323n, -1n - 2n ** 53n - 1n - 2n * most],
        [2n ** 53n + 1n, 1_801_439_850_948_199n, -1n - 2n ** 53n - 1n],
        [-most, null, -1n],
        [-least, 1_844_674_407_370_955_162n, least],
      ],
    );
  });
});
