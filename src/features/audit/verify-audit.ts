// Verifies the audit log of a tenant: every chain, in one pass over all entries of one snapshot.

import type { Db } from '../../database/db.ts';
import { listAuditHeads, streamAuditEntries } from './queries/audit-verification.ts';
import { ChainCheck, type CheckedChain } from './rules/chain-check.ts';

const defaultBatchSize = 5000;

/** Every chain that has entries or a head, in the order of their numbers. */
export async function verifyAudit(db: Db, batchSize = defaultBatchSize): Promise<CheckedChain[]> {
  const heads = new Map((await listAuditHeads(db)).map((head) => [head.chain, head]));
  const checked = new Map<number, CheckedChain>();
  const finish = (check: ChainCheck | undefined): void => {
    if (check !== undefined) checked.set(check.chain, check.finish(heads.get(check.chain)));
  };
  let check: ChainCheck | undefined;
  for await (const entries of streamAuditEntries(db, batchSize))
    for (const entry of entries) {
      if (check?.chain !== entry.chain) {
        finish(check);
        check = new ChainCheck(entry.chain);
      }
      check.add(entry);
    }
  finish(check);
  for (const head of heads.values()) if (!checked.has(head.chain)) finish(new ChainCheck(head.chain));
  return [...checked.values()].toSorted((one, other) => one.chain - other.chain);
}
