// Every n-th statement of every write fails, for every n: nothing is half written, the answer says what happened, the
// same request succeeds afterwards, and others are served all the time.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Engine } from '../support/service.ts';
import { isReplay } from '../support/idempotent-operations.ts';
import type { Round, RoundFigures } from '../rounds/run-rounds.ts';
import { createStatementFaults, type StatementFaults } from './support/statement-faults.ts';
import {
  sendAgain,
  severalTransactions,
  startWriteBench,
  type ReadyWrite,
  type StoredDigests,
  type WriteBench,
} from './support/write-bench.ts';

const maxStatements = 200;

type Counts = { operations: number; failures: number; storedNothing: number; repeated: number; unknown: number };

export const failingStatements = (engine: Engine): Round => ({
  name: `failing statements on ${engine}`,
  needs: engine === 'mariadb' ? ['mariadbd', 'mariadb-install-db'] : [],
  run: async ({ isLong }) => {
    let faults: StatementFaults | undefined;
    const bench = await startWriteBench(engine, () => {
      if (engine === 'sqlite') faults = createStatementFaults(engine, undefined);
    });
    faults ??= createStatementFaults(engine, bench.proxy);
    try {
      return await failEach(
        bench,
        faults,
        isLong ? faults.kinds : [engine === 'sqlite' ? 'disk I/O error' : 'cut-answer'],
      );
    } finally {
      await bench.stop();
      faults.remove();
    }
  },
});

async function failEach(bench: WriteBench, faults: StatementFaults, kinds: readonly string[]): Promise<RoundFigures> {
  const counts: Counts = { operations: 0, failures: 0, storedNothing: 0, repeated: 0, unknown: 0 };
  for (const kind of kinds)
    for (const operationId of bench.operationIds) {
      await failOperation({ bench, faults, counts }, operationId, kind);
      counts.operations += 1;
    }
  await bench.verify();
  assert.ok(counts.failures > counts.operations, 'statements failed');
  return {
    kinds: kinds.join(', '),
    'writes tried': counts.operations,
    'statements failed': counts.failures,
    'answered 503, nothing stored': counts.storedNothing,
    'answered 2xx, stored once': counts.repeated,
    'answered 503, stored whole, or the first of several transactions': counts.unknown,
    'half written': 0,
  };
}

type Trial = { readonly bench: WriteBench; readonly faults: StatementFaults; readonly counts: Counts };

async function failOperation(trial: Trial, operationId: string, kind: string): Promise<void> {
  const { bench, faults, counts } = trial;
  let write = await bench.prepare(operationId);
  let before = await bench.readDigests();
  for (let n = 1; n < maxStatements; n += 1) {
    const requestId = randomUUID();
    faults.arm(n, kind);
    const reply = await write.send(requestId);
    const hasFired = faults.disarm();
    const place = `${operationId}, statement ${n}, ${kind}: ${reply.status} ${reply.text}`;
    if (!hasFired) {
      assert.ok(reply.status < 300, place);
      assert.ok((await bench.countEffects(write, requestId)) > 0, place);
      await bench.requireHealthy();
      return;
    }
    counts.failures += 1;
    const after = await bench.readDigests();
    await bench.requireReads();
    if (reply.status < 300) {
      counts.repeated += 1;
      assert.ok((await bench.countEffects(write, requestId)) > 0, place);
      write = await bench.prepare(operationId);
      before = await bench.readDigests();
      continue;
    }
    assert.equal(reply.status, 503, place);
    const changed = listChanged(operationId, before, after);
    if (changed.length === 0) counts.storedNothing += 1;
    else {
      await requireWhole(trial, { write, requestId, code: reply.json.code, place: `${place}: ${changed.join()}` });
      write = await bench.prepare(operationId);
      before = await bench.readDigests();
    }
  }
  assert.fail(`${operationId} has more than ${maxStatements} statements`);
}

type Stored = {
  readonly write: ReadyWrite;
  readonly requestId: string;
  readonly code: string;
  readonly place: string;
};

/** Something was stored although the answer is a 503: all of it, or the first of several transactions. */
async function requireWhole({ bench, counts }: Trial, { write, requestId, code, place }: Stored): Promise<void> {
  const isUnknown = code === 'storage-outcome-unknown' || code === 'services-unavailable';
  const isSeveral = severalTransactions.has(write.operationId);
  assert.ok(isUnknown || isSeveral, place);
  // The first of several may change nothing that is recorded.
  if (!isSeveral) assert.equal(await bench.countEffects(write, requestId), 1, place);
  counts.unknown += 1;
  if (!write.isKeyed) return;
  const again = await sendAgain(bench, write);
  assert.ok(again.status < 300, `${place}: the same request: ${again.text}`);
  if (!isSeveral) assert.ok(isReplay(again), place);
}

/** An import whose process did not learn that it was approved goes on later, beside other writes. */
function listChanged(operationId: string, before: StoredDigests, after: StoredDigests): string[] {
  const isCounted = (table: string): boolean => operationId.includes('Import') || !table.startsWith('import');
  return [...after].flatMap(([table, digest]) => (before.get(table) === digest || !isCounted(table) ? [] : [table]));
}
