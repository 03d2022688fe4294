// The fields of an account answer: their names and their values.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  accountPath,
  fetchAndCompare,
  postingDraft,
  formatAccountQuery,
  recordInBoth,
} from '../support/account-reads.ts';
import { ms2000Of } from '../support/account-oracle.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';
import { newBank, withBank } from '../support/with-bank.ts';

const wide = { coverage: 'all', retentionDays: null } as const;
const today = { From: '2026-06-15', Through: '2026-06-15' };

serviceSuite({ now: testNow }, (suite) => {
  const { service, manager } = suite;
  const book = withBank(suite);

  const compared = () => fetchAndCompare(service, manager.token, book, today, wide, testNow);

  test('[account.45, account.48, account.49] an answer and an entry have exactly these fields, with these values', async () => {
    await recordInBoth(service, book, [
      postingDraft(testNow - 1, { internalTag: 5, documentId: 12, vatMinor: -20n, text: 'Wash 40°' }),
      postingDraft(testNow - 2, {
        locationId: 2,
        unitId: 0,
        residentId: 1002,
        kind: 'Payment',
        paymentKind: 'Credit',
        amountMinor: 50_000n,
        currency: '',
      }),
    ]);
    await recordInBoth(service, book, [
      postingDraft(testNow, { internalTag: 5, amountMinor: 100n, reversalOf: 1, kind: 'Consumption' }),
    ]);
    const { revision, ...answer } = await compared();
    assert.match(revision, /^\S{10,}$/);
    const [reversal, reversed, payment] = answer.items;
    const kid = book.bankKid;
    assert.deepEqual(reversed, {
      kid: `${kid}-X1`,
      recordedAtUtc: '2026-06-15T09:29:59.999Z',
      recordedAtMs2000: testNow - 1,
      locationKid: `${kid}-L1`,
      locationName: 'Location 1',
      unitKid: `${kid}-L1-U1`,
      unitName: 'Washer 1',
      userKid: `${kid}-R1001`,
      userName: 'Demo Resident 1001',
      kind: 'Consumption',
      paymentKind: '',
      text: 'Wash 40°',
      amountMinor: -100n,
      currency: 'DKK',
      vatMinor: -20n,
      period: 0,
      documentKey: reversed?.documentKey,
      reversalOfKid: null,
      reversedByKid: `${kid}-X3`,
      isAnonymized: false,
      reversible: false,
    });
    assert.deepEqual([reversal?.reversalOfKid, reversal?.reversedByKid], [`${kid}-X1`, null]);
    assert.deepEqual(
      [payment?.unitKid, payment?.unitName, payment?.currency, payment?.vatMinor],
      [null, '', null, null],
    );
    const { items: _items, documents: _documents, choices: _choices, ...rest } = answer;
    assert.deepEqual(rest, {
      bankKid: kid,
      timeZone: 'Europe/Copenhagen',
      from: '2026-06-15',
      through: '2026-06-15',
      period: null,
      offset: 0,
      limit: 50,
      totalCount: 3,
      hasMore: false,
      nextCursor: null,
      totals: [
        { currency: 'DKK', count: 2, debitMinor: -100n, creditMinor: 100n, amountMinor: 0n },
        { currency: null, count: 1, debitMinor: 0n, creditMinor: 50_000n, amountMinor: 50_000n },
      ],
      periods: [{ period: 0, fromUtc: '2000-01-01T00:00:00.000Z', throughUtc: null }],
    });
  });

  test('[account.47] choices are the locations and units of the bank, and no resident', async () => {
    await recordInBoth(service, book, [postingDraft(testNow)]);
    const { choices } = await compared();
    const at = (kid: string): string => `${book.bankKid}-${kid}`;
    assert.deepEqual(choices, {
      locations: [1, 2].map((id) => ({ kid: at(`L${id}`), name: `Location ${id}`, timeZone: 'Europe/Copenhagen' })),
      units: [
        { kid: at('L1-U1'), name: 'Washer 1', locationKid: at('L1') },
        { kid: at('L1-U2'), name: 'Washer 2', locationKid: at('L1') },
        { kid: at('L2-U1'), name: 'Washer 1', locationKid: at('L2') },
      ],
    });
  });

  test('a deleted place is a choice only where postings name it', async () => {
    const deleted = true;
    const units = [1, 2].map((id) => ({ id, name: `Washer ${id}`, deleted }));
    const locations = [1, 2, 3].map((id) => ({ id, name: `Location ${id}`, deleted: id > 1, units }));
    Object.assign(book, await newBank(suite, { locations }));
    await recordInBoth(service, book, [
      postingDraft(testNow, { unitId: 2 }),
      postingDraft(ms2000Of('2001-01-01T00:00:00Z'), { locationId: 2, unitId: 0 }),
    ]);
    const { choices, items } = await compared();
    assert.deepEqual(
      choices.locations.map(({ name }) => name),
      ['Location 1', 'Location 2'],
    );
    assert.deepEqual(
      choices.units.map(({ kid }) => kid),
      [`${book.bankKid}-L1-U2`],
    );
    assert.equal(items[0]?.unitName, 'Washer 2');
  });

  test('[account.50] every kind has its name and rows of its own', async () => {
    const kinds = [
      'Consumption',
      'Booking',
      'Month',
      'Payment',
      'Credit',
      'Discount',
      'TransferToRent',
      'Unknown',
    ] as const;
    await recordInBoth(
      service,
      book,
      kinds.map((kind, at) => postingDraft(testNow - at, { kind })),
    );
    assert.deepEqual(
      (await compared()).items.map(({ kind }) => kind),
      [...kinds],
    );
    // A kind that this version does not know is not shown as another kind.
    await service.write('sund', (db) =>
      db
        .updateTable('postings')
        .set({ kind: 99 })
        .where('bank_id', '=', book.bankId)
        .where('posting_id', '=', 1)
        .execute(),
    );
    const reply = await service.call('GET', accountPath(book, formatAccountQuery(book, today)), manager);
    assert.equal(reply.json.items[0].kind, 'Unknown');
  });

  test('[account.29] paymentKind is Credit, ReserveRefund, Managed or empty', async () => {
    const paymentKinds = ['Credit', 'ReserveRefund', 'Managed', ''] as const;
    await recordInBoth(
      service,
      book,
      paymentKinds.map((paymentKind, at) => postingDraft(testNow - at, { kind: 'Payment', paymentKind })),
    );
    assert.deepEqual(
      (await compared()).items.map(({ paymentKind }) => paymentKind),
      [...paymentKinds],
    );
  });

  test('[account.30] every entry has a user KID and says whether it is anonymised', async () => {
    await recordInBoth(
      service,
      book,
      [1001, 1002, 1000, 0, 5005].map((residentId, at) => postingDraft(testNow - at, { residentId })),
    );
    assert.deepEqual(
      (await compared()).items.map(({ userKid, userName, isAnonymized }) => [
        userKid.split('-R')[1],
        userName,
        isAnonymized,
      ]),
      [
        ['1001', 'Demo Resident 1001', false],
        ['1002', 'Demo Resident 1002', false],
        ['1000', '', false],
        ['0', '', true],
        ['5005', '', false],
      ],
    );
  });

  test('only a resident’s tagged consumption is reversible, and only if it is not managed, reversed or anonymised', async () => {
    const can = { internalTag: 5 };
    const cannot = [
      { internalTag: null },
      { ...can, residentId: 1000 },
      { ...can, residentId: 0 },
      { ...can, paymentKind: 'Managed' as const },
      { ...can, paymentKind: 'Credit' as const },
      { ...can, amountMinor: 100n },
      { ...can, amountMinor: 0n },
      ...(['Booking', 'Month', 'Payment', 'Credit', 'Discount', 'TransferToRent', 'Unknown'] as const).map((kind) => ({
        ...can,
        kind,
      })),
    ];
    await recordInBoth(
      service,
      book,
      [can, ...cannot].map((change, at) => postingDraft(testNow - at, change)),
    );
    assert.deepEqual(
      (await compared()).items.map(({ reversible }) => reversible),
      [true, ...cannot.map(() => false)],
    );
  });

  test('[account.31] no answer holds a payment reference', async () => {
    await recordInBoth(
      service,
      book,
      (['Credit', 'ReserveRefund', 'Managed', ''] as const).map((paymentKind) =>
        postingDraft(testNow, {
          paymentKind,
          kind: 'Payment',
          paymentReference: `secret-${paymentKind}-4571`,
          documentId: 4,
        }),
      ),
    );
    assert.equal((await compared()).items.length, 4);
    for (const path of [
      accountPath(book, formatAccountQuery(book, today)),
      accountPath(book, 'Period=0'),
      accountPath(book, `UserKid=${book.bankKid}-R1001`),
    ]) {
      const { text } = await service.call('GET', path, manager);
      assert.doesNotMatch(text, /secret|4571/);
    }
  });
});
