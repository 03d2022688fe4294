// Verifies the audit log of a tenant: every chain, in one pass over all entries of one snapshot.

import type { Db } from '../../../database/db.ts';
import { listAuditHeads, streamAuditEntries } from '../queries/audit-page.ts';
import { ChainCheck, type CheckedChain, type RecordedHead } from '../rules/chain-check.ts';

const defaultBatchSize = 5000;

export type VerifyAuditInput = {
  readonly batchSize?: number;
  /** By chain. */
  readonly recordedHeads?: ReadonlyMap<number, RecordedHead>;
};

/** Every chain that has entries or a head, or had one, in the order of their numbers. */
export async function verifyAudit(
  db: Db,
  { batchSize = defaultBatchSize, recordedHeads = new Map() }: VerifyAuditInput = {},
): Promise<CheckedChain[]> {
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
        check = new ChainCheck(entry.chain, recordedHeads.get(entry.chain));
      }
      check.add(entry);
    }
  finish(check);
  for (const chain of new Set([...heads.keys(), ...recordedHeads.keys()]))
    if (!checked.has(chain)) finish(new ChainCheck(chain, recordedHeads.get(chain)));
  return [...checked.values()].toSorted((one, other) => one.chain - other.chain);
}
