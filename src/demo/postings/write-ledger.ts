// Records the demo postings of a bank, in transactions large enough that committing them costs next to nothing.

import type { WriteDb } from '../../database/db.ts';
import type { TenantDatabase } from '../../database/tenant-database.ts';
import { lockAndClosePeriod, openLedger, lockAndAppendPostings } from '../../features/account/queries/ledger.ts';
import { requireCoveredBank, type GrantedBank } from '../../permissions/coverage.ts';
import { createOperatorScope } from '../../permissions/scope.ts';
import { generateBatches, type PostingBatch } from './batches.ts';
import type { LedgerScenario } from './ledger-scenario.ts';

const maxPostingsPerTransaction = 5000;
const deadlineMs = 300_000;

export async function writeLedger(database: TenantDatabase, scene: LedgerScenario, total: number): Promise<void> {
  const bank = requireCoveredBank(createOperatorScope(scene.tenant.name), scene.bank);
  await database.write({ deadlineMs }, (db) => openLedger(db, bank, scene.periods[0]?.from ?? 0));
  for (const batches of groupIntoTransactions(generateBatches(scene, total))) {
    await database.write({ deadlineMs }, async (db) => {
      for (const batch of batches) await recordBatch(db, bank, batch);
    });
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

async function recordBatch(db: WriteDb, bank: GrantedBank, { firstId, drafts, closes }: PostingBatch): Promise<void> {
  if (drafts.length > 0) {
    const recorded = await lockAndAppendPostings(db, bank, drafts);
    // Reversals already name the ids that their originals were expected to get.
    if (recorded !== firstId) throw new Error(`bank ${bank.bankId}: posting ${firstId} was recorded as ${recorded}`);
  }
  if (closes !== undefined) await lockAndClosePeriod(db, bank, closes, closes);
}
