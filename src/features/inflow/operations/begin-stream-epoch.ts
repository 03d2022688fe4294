// BeginStreamEpoch: a computer that has lost its memory begins to count its lines again.

import type { ComputerContext } from '../../../http/context/operation-context.ts';
import { takeLocks } from '../../../database/locks.ts';
import { formatBankKid, formatComputerKid } from '../../../lib/kid.ts';
import { Problem } from '../../../lib/problem.ts';
import { beginEpoch, isFormerEpoch, streamLock } from '../queries/streams.ts';
import { appendAudit } from '../../audit/queries/append-audit.ts';
import { createRequestAuditContext } from '../../audit/rules/audit-context.ts';
import { outboxLock } from '../../outbox/queries/outbox.ts';
import type { StreamName } from '../../computers/rules/streams.ts';
import type { StreamPosition } from '../schemas.ts';

/** A repeated request gets the same answer as long as the epoch has no line. */
export function beginStreamEpoch(
  context: ComputerContext,
  { stream, epoch, reason }: { readonly stream: StreamName; readonly epoch: string; readonly reason: string },
): Promise<StreamPosition> {
  const { bank, computer, now } = context;
  const key = { bank, computerId: computer.computerId, stream };
  return context.write(async (db) => {
    const [row] = await takeLocks(db, [streamLock(key), outboxLock(bank)]);
    const position = { stream, epoch, through: 0 };
    if (row.epoch === epoch && row.through === 0) return position;
    if (row.epoch === epoch || (await isFormerEpoch(db, key, epoch))) throw new Problem('epoch-used');
    await beginEpoch(db, key, row, { epoch, reason, now });
    await appendAudit(db, createRequestAuditContext('computer', computer.computerId, context), {
      object: formatComputerKid(formatBankKid(bank.tenant, bank.bankId), computer.computerId),
      bankId: bank.bankId,
      before: { stream, epoch: row.epoch, through: row.through },
      after: { stream, epoch, through: 0 },
    });
    return position;
  });
}
