// Amounts: signed, exact to the last digit over 64 bits, and their sums beyond.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import {
  accountPath,
  fetchAndCompare,
  postingDraft,
  createBankWithModel,
  formatAccountQuery,
  recordInBoth,
} from '../support/account-reads.ts';
import { createToken } from '../support/factories.ts';
import { instantOf, ms2000Of, type BankModel, type AccountQuery } from '../support/account-oracle.ts';
import { onBothEngines, startService, type TestService } from '../support/service.ts';

const now = ms2000Of('2026-06-15T09:30:00Z');
const wide = { coverage: 'all', retentionDays: null } as const;
const today: AccountQuery = { From: '2026-06-15', Through: '2026-06-15' };
const most = 2n ** 63n - 1n;
let lastBank = 1000;

onBothEngines((engine) => {
  let service: TestService;
  let token: string;
  let book: BankModel;
  before(async () => {
    service = await startService(engine, { clock: () => instantOf(now).epochMilliseconds });
    ({ token } = await createToken(service));
  });
  beforeEach(async () => {
    book = await createBankWithModel(service, { bankId: ++lastBank });
  });
  after(() => service.stop());

  const compared = (question: AccountQuery = {}) =>
    fetchAndCompare(service, token, book, { ...today, ...question }, wide, now);
  const textOf = async (): Promise<string> =>
    (await service.call('GET', accountPath(book, formatAccountQuery(book, today)), { token })).text;

  test(`[account.27, general.38] amounts are signed and exact to the last digit over the whole 64-bit range (${engine})`, async () => {
    const amounts = [most, -most - 1n, most - 1n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 53n - 1n, 1n, 0n, -1n];
    await recordInBoth(
      service,
      book,
      amounts.map((amountMinor, at) =>
        postingDraft(now - at, { amountMinor, vatMinor: -1n - amountMinor, documentId: 3 + at }),
      ),
    );
    const { items } = await compared();
    assert.deepEqual(
      items.map(({ amountMinor }) => amountMinor),
      amounts,
    );
    const text = await textOf();
    const digits = (name: string): string[] =>
      [...text.matchAll(new RegExp(`"${name}":(-?[0-9]+)[,}]`, 'g'))].map(([, found = '']) => found);
    // In the order of the text: the total first, then the rows, then their groups of one.
    assert.deepEqual(digits('amountMinor').slice(1), [...amounts, ...amounts].map(String));
    assert.deepEqual(
      digits('vatMinor'),
      amounts.map((amount) => String(-1n - amount)),
    );
  });

  test(`[account.46, general.38] totals are exact where they pass 64 bits, debits never above zero and credits never below (${engine})`, async () => {
    await recordInBoth(service, book, [
      ...Array.from({ length: 300 }, (_, at) => postingDraft(now - at, { amountMinor: -most - 1n })),
      ...Array.from({ length: 200 }, (_, at) => postingDraft(now - at, { amountMinor: most, currency: 'EUR' })),
      postingDraft(now, { amountMinor: 0n, currency: 'SEK' }),
      postingDraft(now, { amountMinor: 5n, currency: '' }),
      postingDraft(now, { amountMinor: 7n }),
    ]);
    const { totals } = await compared();
    const debit = (-most - 1n) * 300n;
    assert.deepEqual(totals, [
      { currency: 'DKK', count: 301, debitMinor: debit, creditMinor: 7n, amountMinor: debit + 7n },
      { currency: 'EUR', count: 200, debitMinor: 0n, creditMinor: most * 200n, amountMinor: most * 200n },
      { currency: 'SEK', count: 1, debitMinor: 0n, creditMinor: 0n, amountMinor: 0n },
      { currency: null, count: 1, debitMinor: 0n, creditMinor: 5n, amountMinor: 5n },
    ]);
    assert.match(await textOf(), /"debitMinor":-2767011611056432742400,/);
    assert.equal((await compared({ Offset: 400, Limit: 200 })).items.length, 103);
  });

  test(`[account.26] totals are of the whole filtered selection, by currency, on every page alike, and of nothing before it (${engine})`, async () => {
    const yesterday = now - 86_400_000;
    await recordInBoth(service, book, [
      postingDraft(yesterday, { amountMinor: 1_000_000n }),
      ...Array.from({ length: 20 }, (_, at) => postingDraft(now - at, { amountMinor: -10n, locationId: 1 + (at % 2) })),
      postingDraft(now, { amountMinor: 70n, kind: 'Payment' }),
      postingDraft(now, { amountMinor: 5n, currency: 'EUR', kind: 'Booking' }),
    ]);
    const dkk = { currency: 'DKK', count: 21, debitMinor: -200n, creditMinor: 70n, amountMinor: -130n };
    const eur = { currency: 'EUR', count: 1, debitMinor: 0n, creditMinor: 5n, amountMinor: 5n };
    for (const page of [{}, { Limit: 1 }, { Offset: 21, Limit: 1 }, { Offset: 500 }]) {
      assert.deepEqual((await compared(page)).totals, [dkk, eur]);
      assert.deepEqual((await compared({ ...page, IncludeBookings: false })).totals, [dkk]);
      const debits = { ...dkk, count: 20, creditMinor: 0n, amountMinor: -200n };
      assert.deepEqual((await compared({ ...page, Kind: 'debit' })).totals, [debits]);
      const half = { ...debits, count: 10, debitMinor: -100n, amountMinor: -100n };
      assert.deepEqual((await compared({ ...page, location: 2 })).totals, [half]);
    }
  });
});
