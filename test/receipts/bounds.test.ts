// How large receipts can be: each limit is exact, and one more is refused completely.

import assert from 'node:assert/strict';
import { grantBank } from '../support/granted-banks.ts';
import { test } from 'node:test';
import { postingDraft } from '../support/account-reads.ts';
import { lockAndClosePeriod, lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import type { PostingDraft } from '../../src/features/account/rules/posting-draft.ts';
import { fetchAllReceiptsPages, fetchReceiptsPage, fetchRefusal, userKidOf } from './support/receipts.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, testNow } from '../support/times.ts';
import { withBank } from '../support/with-bank.ts';

serviceSuite({ now: testNow }, (suite) => {
  const { service, manager } = suite;
  const book = withBank(suite);

  async function record(drafts: readonly PostingDraft[]): Promise<void> {
    for (let from = 0; from < drafts.length; from += 10_000)
      await service.write('sund', (db) =>
        lockAndAppendPostings(db, grantBank(book.bankId), drafts.slice(from, from + 10_000)),
      );
  }
  const first = () => fetchReceiptsPage(service, manager.token, userKidOf(book));
  const refusal = (query = ''): Promise<string> => fetchRefusal(service, manager.token, userKidOf(book), query);
  const several = (count: number, change: (at: number) => Partial<PostingDraft>): PostingDraft[] =>
    Array.from({ length: count }, (_, at) => postingDraft(testNow - 1, change(at)));

  test('[receipts.27] 50,000 postings are accepted, not counting postings that are not shown; one more is refused', async () => {
    // Not among them: a closed period that is no longer shown, what lost its identity, and what is another's.
    await record([postingDraft(testNow)]);
    for (let period = 1; period <= 25; period += 1)
      await service.write('sund', (db) => lockAndClosePeriod(db, grantBank(book.bankId), period, period));
    await record([postingDraft(testNow - 500 * dayMs), postingDraft(testNow, { residentId: 1002 })]);
    // Monthly lines are among them, though no receipt shows them.
    await record([
      ...several(49_000, (at) => ({ recordedAt: testNow - at * 520_000, documentId: at + 1 })),
      ...several(1000, () => ({ kind: 'Month' })),
    ]);
    const page = await first();
    assert.ok(page.items.every(({ lines }) => lines.length > 0));
    const items = (await fetchAllReceiptsPages(service, manager.token, userKidOf(book))).flatMap((each) => each.items);
    assert.equal(items.flatMap(({ lines }) => lines).length, 49_000);
    await record([postingDraft(testNow - 2, { kind: 'Month' })]);
    assert.equal(await refusal(), '503 receipts-too-large');
    assert.equal(await refusal(`revision=${page.revision}`), '503 receipts-too-large');
  });

  test('[receipts.27] 8 MiB of stored text are accepted, counted in bytes; one more byte is refused', async () => {
    const bytes = 8 * 1024 * 1024;
    // Three bytes a character, and as many characters as a text may have.
    const longest = '✓'.repeat(500);
    const whole = Math.floor(bytes / 1500);
    const rest = bytes - whole * 1500;
    await record([
      ...several(whole, (at) => ({ text: longest, recordedAt: testNow - at * 600_000 })),
      postingDraft(testNow, { text: '✓'.repeat(Math.floor(rest / 3)) + 'x'.repeat(rest % 3) }),
    ]);
    const { items } = await first();
    assert.equal(items[0]?.lines[1]?.texts[0], longest);
    await record([postingDraft(testNow, { text: 'x' })]);
    assert.equal(await refusal(), '503 receipts-too-large');
  });

  test('[receipts.27] 1,000 documents in one receipt are accepted, with any number of lines; one more is refused', async () => {
    await record([
      ...several(1500, (at) => ({ documentId: 1 + (at % 999) })),
      // A document that comes to nothing is not in it.
      ...several(2, (at) => ({ documentId: 5000, amountMinor: at === 0 ? -5n : 5n })),
      ...several(1, () => ({ documentId: null })),
      // Another receipt's.
      ...several(999, (at) => ({ documentId: 1 + at, currency: 'EUR' })),
    ]);
    const { items, revision } = await first();
    assert.deepEqual(
      items.map(({ currency, lines }) => [currency, lines.length]),
      [
        ['DKK', 1501],
        ['EUR', 999],
      ],
    );
    await record(several(1, () => ({ documentId: 0, currency: 'EUR' })));
    assert.equal((await first()).items[1]?.lines.length, 1000);
    await record(several(1, () => ({ documentId: null })));
    assert.equal(await refusal(), '503 receipts-too-large');
    assert.equal(await refusal(`revision=${revision}`), '409 receipts-changed');
  });

  test('a receipt that is too large refuses only its own page', async () => {
    await record(several(25, (at) => ({ recordedAt: testNow - at * dayMs })));
    await record(several(1001, () => ({ recordedAt: testNow - 30 * dayMs })));
    const { items, nextOffset, revision } = await first();
    assert.deepEqual([items.length, nextOffset], [20, 20]);
    assert.equal(await refusal(`offset=20&revision=${revision}`), '503 receipts-too-large');
  });
});
