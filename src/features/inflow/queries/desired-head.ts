// Reads whether there is something for a computer to know that stood in no answer yet.

import type { Db } from '../../../database/db.ts';
import { runPrepared } from '../../../database/statements/prepared-query.ts';
import type { WholeGrantedBank } from '../../../permissions/coverage.ts';

export type DesiredHead = {
  /** The last version of the outbox. */
  readonly version: number;
  /** Whether there is something that the computer was not told yet. */
  readonly pending: boolean;
};

export async function readComputerHead(db: Db, { bankId }: WholeGrantedBank, computerId: number): Promise<DesiredHead> {
  const [row] = await runPrepared(db, 'desired head of computer', { bankId, computerId }, (bind) =>
    db
      .selectFrom('computer_states as s')
      .leftJoin('device_sync_heads as h', 'h.bank_id', 's.bank_id')
      .select(['h.queued', 's.sent_version'])
      .where('s.bank_id', '=', bind<number>('bankId'))
      .where('s.computer_id', '=', bind<number>('computerId')),
  );
  const version = row?.queued ?? 0;
  return { version, pending: version > (row?.sent_version ?? 0) };
}
