// Records the demo postings of a bank, in transactions that are large enough to be fast and small enough for any
// server.

import type { LockableDb } from '../../src/database/db.ts';
import { lockAndClosePeriod, openLedger, lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import { requireCoveredBank, type GrantedBank } from '../../src/permissions/coverage.ts';
import { createOperatorScope } from '../../src/permissions/scope.ts';
import type { SeedStep } from '../seed-step.ts';
import { generateBatches, type PostingBatch } from './posting-batches.ts';
import type { LedgerScenario } from './ledger-scenario.ts';

const maxPostingsPerTransaction = 5000;

export function* listLedgerSteps(scenario: LedgerScenario, total: number): Generator<SeedStep> {
  const bank = requireCoveredBank(createOperatorScope(scenario.tenant.name), scenario.bank);
  const openedAt = scenario.periods[0]?.from ?? 0;
  yield { postings: 0, run: (claim) => claim.writeStep((db) => openLedger(db, bank, openedAt)) };
  for (const batches of groupIntoTransactions(generateBatches(scenario, total))) {
    yield {
      postings: batches.reduce((sum, { drafts }) => sum + drafts.length, 0),
      run: (claim) =>
        claim.writeStep(async (db) => {
          for (const batch of batches) await recordBatch(db, bank, batch);
        }),
    };
  }
}

function* groupIntoTransactions(batches: Iterable<PostingBatch>): Generator<PostingBatch[]> {
  let pending: PostingBatch[] = [];
  let postings = 0;
  for (const batch of batches) {
    pending.push(batch);
    postings += batch.drafts.length;
    if (postings < maxPostingsPerTransaction) continue;
    yield pending;
    pending = [];
    postings = 0;
  }
  if (pending.length > 0) yield pending;
}

async function recordBatch(
  db: LockableDb,
  bank: GrantedBank,
  { firstId, drafts, closes }: PostingBatch,
): Promise<void> {
  if (drafts.length > 0) {
    const recorded = await lockAndAppendPostings(db, bank, drafts);
    // Reversals already name the ids that were expected for their originals.
    if (recorded !== firstId) throw new Error(`bank ${bank.bankId}: posting ${firstId} was recorded as ${recorded}`);
  }
  if (closes !== undefined) await lockAndClosePeriod(db, bank, closes, closes);
}
