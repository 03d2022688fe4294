// Reads whether a computer has applied everything that was queued for its bank.

import type { Db } from '../../../database/db.ts';
import { runPrepared } from '../../../database/prepared-query.ts';
import type { WholeGrantedBank } from '../../../permissions/coverage.ts';

export type DesiredHead = {
  /** The last version of the outbox. */
  readonly version: number;
  /** Whether the computer has not applied it. */
  readonly pending: boolean;
};

export async function readComputerHead(db: Db, { bankId }: WholeGrantedBank, computerId: number): Promise<DesiredHead> {
  const [row] = await runPrepared(db, 'desired head of computer', { bankId, computerId }, (bind) =>
    db
      .selectFrom('computer_states as s')
      .leftJoin('device_sync_heads as h', 'h.bank_id', 's.bank_id')
      .select(['h.queued', 's.acknowledged_version'])
      .where('s.bank_id', '=', bind<number>('bankId'))
      .where('s.computer_id', '=', bind<number>('computerId')),
  );
  const version = row?.queued ?? 0;
  return { version, pending: version > (row?.acknowledged_version ?? 0) };
}
