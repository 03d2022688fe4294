// Dry runs and reversals against the oracle on random ledgers: exactly the entries that the account calls reversible
// can be reversed, a dry run predicts the real call, and afterwards the account still agrees with the oracle.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { PostingDraft } from '../../src/features/account/rules/posting-draft.ts';
import {
  closePeriodInBoth,
  fetchAndCompare,
  recordInBoth,
  comparableRefusal,
  type DocumentKeys,
} from '../support/account-reads.ts';
import { clearAudit } from '../support/audit.ts';
import { postingDrafts, exampleInstants, ledgerRuns } from '../support/account-arbitraries.ts';
import { createToken } from '../support/factories.ts';
import { verifyBankLedger } from '../support/ledger-checks.ts';
import {
  openPeriodNumber,
  type BankModel,
  type ExpectedEntry,
  type ModelPosting,
  type AccountViewer,
} from '../support/account-oracle.ts';
import { readLedgerRows, reverseEntry, toDryRunText } from '../support/reversal.ts';
import { parseExactAmounts } from '../support/exact-amounts.ts';
import { minuteMs } from '../support/times.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { newBank } from '../support/with-bank.ts';

/** Washes that are reversible in most respects, but can have one obstacle. */
const washed = ({ amountMinor, residentId, ...each }: PostingDraft): PostingDraft => ({
  ...each,
  kind: 'Consumption',
  paymentKind: '',
  internalTag: 9,
  amountMinor: amountMinor < 0n ? amountMinor : -amountMinor,
  residentId: residentId > 1000 ? residentId : 1001,
});

const worlds = fc.constantFrom(...exampleInstants).chain((now) =>
  fc.record({
    now: fc.constant(now),
    batches: fc.array(
      postingDrafts(now, { minLength: 8, maxLength: 20 }).chain((some) =>
        fc
          .infiniteStream(fc.boolean())
          .map((dice) => some.map((each) => (dice.next().value === true ? washed(each) : each))),
      ),
      { minLength: 3, maxLength: 3 },
    ),
    retentionDays: fc.constantFrom(0, 90, 400, 800_000),
    managerDays: fc.constantFrom(null, 0, 30, 900_000),
  }),
);

serviceSuite({ now: exampleInstants[0] ?? 0, manager: false }, (suite) => {
  const { service, clock } = suite;

  async function build(batches: readonly PostingDraft[][], retentionDays: number): Promise<BankModel> {
    const residents = new Map([
      [1001, { name: 'Demo Resident 1001', expiredAt: null }],
      [1002, { name: 'Demo Resident 1002', expiredAt: clock.now }],
      [1003, { name: 'Demo Resident 1003', expiredAt: clock.now + 1 }],
    ]);
    const book = await newBank(suite, { residents, retentionDays });
    for (const [at, batch] of batches.entries()) {
      if (at > 0) await closePeriodInBoth(service, book, clock.now - minuteMs + at);
      await recordInBoth(service, book, batch);
    }
    return book;
  }

  /** Every entry of the account, which must equal the oracle's in every field. */
  async function entries(token: string, book: BankModel, viewer: AccountViewer): Promise<Map<number, ExpectedEntry>> {
    const keys: DocumentKeys = new Map();
    const all = new Map<number, ExpectedEntry>();
    for (const Period of [0, ...book.periods.map(({ period }) => period)]) {
      const { items } = await fetchAndCompare(service, token, book, { Period, Limit: 200 }, viewer, clock.now, keys);
      for (const item of items) all.set(Number(item.kid.split('-X')[1]), item);
    }
    return all;
  }

  /** The posting that the oracle appends when a row is reversed. */
  const compensating = (book: BankModel, { id, amountMinor, vatMinor, ...row }: ModelPosting): ModelPosting => ({
    ...row,
    id: book.rows.length + 1,
    period: openPeriodNumber(book),
    recordedAt: clock.now,
    amountMinor: -amountMinor,
    vatMinor: vatMinor == null ? null : -vatMinor,
    internalTag: null,
    paymentReference: null,
    reversalOf: id,
  });

  test('[reversal.17, reversal.05, reversal.07, reversal.16] on random ledgers a dry run answers what the real call then answers and writes nothing, and both agree with the oracle', async () => {
    const outcomes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(worlds, async ({ batches, retentionDays, managerDays, ...world }) => {
        ({ now: clock.now } = world);
        await clearAudit(service);
        const book = await build(batches, retentionDays);
        const { bankId } = book;
        const { token } = await createToken(service, { retentionDays: managerDays });
        const viewer: AccountViewer = { coverage: 'all', retentionDays: managerDays };
        const known = await entries(token, book, viewer);
        for (const row of book.rows.slice()) {
          const untouched = await readLedgerRows(service, bankId);
          const dry = await reverseEntry(service, row.id, { token, bankId, query: '?dryRun=true' });
          assert.deepEqual(await readLedgerRows(service, bankId), untouched);
          const real = await reverseEntry(service, row.id, { token, bankId });
          assert.equal(dry.status, real.status);
          assert.equal(comparableRefusal(dry), comparableRefusal({ ...real, text: toDryRunText(real) }));
          assert.equal(real.status === 200, known.get(row.id)?.reversible, `posting ${row.id}: ${real.text}`);
          outcomes.add(`${real.status} ${real.json.reason ?? ''}`);
          if (real.status !== 200) assert.deepEqual(await readLedgerRows(service, bankId), untouched);
          else book.rows.push(compensating(book, row));
        }
        const reversed = await entries(token, book, viewer);
        assert.equal(reversed.size, book.rows.length);
        for (const row of book.rows.filter(({ reversalOf }) => reversalOf != null)) {
          const again = await reverseEntry(service, Number(row.reversalOf), { token, bankId, query: '?dryRun=true' });
          assert.equal(again.json.code, 'already-reversed');
        }
        assert.deepEqual(await verifyBankLedger(service, bankId), []);
      }),
      ledgerRuns(5),
    );
    assert.ok(outcomes.has('200 ') && outcomes.size >= 6, [...outcomes].join());
  });

  test('[reversal.17] a dry run answers exactly the entry that the real call creates, including int64 amounts', async () => {
    [clock.now = 0] = exampleInstants;
    await clearAudit(service);
    const book = await build([[]], 400);
    const { token } = await createToken(service);
    const huge = 2n ** 63n - 1n;
    const first = await recordInBoth(service, book, [
      washed({
        recordedAt: clock.now,
        locationId: 1,
        unitId: 1,
        residentId: 1001,
        kind: 'Consumption',
        currency: 'DKK',
        amountMinor: -huge,
        vatMinor: -huge,
        text: 'x',
      }),
    ]);
    const [dry, real] = [
      await reverseEntry(service, first, { token, bankId: book.bankId, query: '?dryRun=true' }),
      await reverseEntry(service, first, { token, bankId: book.bankId }),
    ];
    assert.equal(dry.text, toDryRunText(real));
    assert.deepEqual([dry.json.dryRun, dry.json.kid, 'dryRun' in real.json], [true, null, false]);
    const { amountMinor, vatMinor } = parseExactAmounts(real.text) as { amountMinor: bigint; vatMinor: bigint };
    assert.deepEqual([amountMinor, vatMinor], [huge, huge]);
  });
});
