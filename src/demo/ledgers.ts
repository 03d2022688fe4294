// Records the demo postings of a bank, in transactions large enough that committing them costs next to nothing.

import type { WriteDb } from '../database/dialect.ts';
import type { TenantDatabase } from '../database/tenant-database.ts';
import { closePeriod, openLedger, recordPostings } from '../features/account/ledger.ts';
import { batchesOf, type Batch } from './postings/batches.ts';
import type { Scene } from './postings/scene.ts';

const transactionPostings = 5000;
const deadlineMs = 300_000;

export async function writeLedger(database: TenantDatabase, scene: Scene, total: number): Promise<void> {
  const { bankId } = scene.bank;
  await database.write({ deadlineMs }, (db) => openLedger(db, bankId, scene.periods[0]?.from ?? 0));
  for (const batches of transactionsOf(batchesOf(scene, total))) {
    await database.write({ deadlineMs }, async (db) => {
      for (const batch of batches) await record(db, bankId, batch);
    });
  }
}

function* transactionsOf(batches: Iterable<Batch>): Generator<Batch[]> {
  let together: Batch[] = [];
  let postings = 0;
  for (const batch of batches) {
    together.push(batch);
    postings += batch.drafts.length;
    if (postings < transactionPostings) continue;
    yield together;
    together = [];
    postings = 0;
  }
  if (together.length > 0) yield together;
}

async function record(db: WriteDb, bankId: number, { firstId, drafts, closes }: Batch): Promise<void> {
  if (drafts.length > 0) {
    const recorded = await recordPostings(db, bankId, drafts);
    // Reversals already name the ids that their originals were expected to get.
    if (recorded !== firstId) throw new Error(`bank ${bankId}: posting ${firstId} was recorded as ${recorded}`);
  }
  if (closes !== undefined) await closePeriod(db, bankId, closes, closes);
}
