// The steps that the writes of one computer share: the grant of its whole bank, its lock, and the revision that the
// caller knows.

import { requireWholeBeforeLocks } from '../places/require-place.ts';
import type { WriteDb } from '../../database/db.ts';
import type { ManagerContext, WriteAnswer } from '../../http/context/operation-context.ts';
import { Problem } from '../../lib/problem.ts';
import { requireWholeBank, type WholeGrantedBank } from '../../permissions/coverage.ts';
import { outboxLock } from '../outbox/queries/outbox.ts';
import { computerLock } from './queries/computer-keys.ts';
import { requireComputer, type ComputerKid, type FoundComputer } from './require-computer.ts';

/** Throws 409 if the computer has changed since the caller read it. */
export async function changeFoundComputer<T>(
  context: ManagerContext,
  { computerKid, expectedRevision }: { readonly computerKid: ComputerKid; readonly expectedRevision: string },
  work: (db: WriteDb, found: FoundComputer<WholeGrantedBank>) => Promise<T>,
): Promise<WriteAnswer<T>> {
  await requireWholeBeforeLocks(context, computerKid);
  return context.write({
    grant: (scope) => requireWholeBank(scope, computerKid),
    locks: (bank) => [computerLock(computerKid), outboxLock(bank)],
    requireObject: (db, bank) => requireComputer(db, bank, computerKid.computerId),
    work: async (db, found) => {
      if (expectedRevision !== String(found.row.revision)) throw new Problem('computer-conflict');
      return work(db, found);
    },
  });
}
