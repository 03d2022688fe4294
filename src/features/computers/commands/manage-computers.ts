// Creates, lists and revokes computers of a bank for an operator of the service.

import type { Db, LockableDb } from '../../../database/db.ts';
import { takeLocks } from '../../../database/locks.ts';
import type { TenantDatabase } from '../../../database/tenant-database.ts';
import { Problem } from '../../../lib/problem.ts';
import type { WholeGrantedBank } from '../../../permissions/coverage.ts';
import { createOperatorAuditContext } from '../../audit/rules/audit-context.ts';
import { requireBank } from '../../places/require-place.ts';
import { outboxLock } from '../../outbox/queries/outbox.ts';
import { createComputerWithCode, revoke, type CreatedComputer, type ComputerDraft } from '../change-computer.ts';
import { toComputer } from '../answers.ts';
import { computerLock } from '../queries/computer-keys.ts';
import { findComputerByName, listComputers } from '../queries/computers.ts';
import { computersLock } from '../queries/write-computer.ts';
import { requireComputer } from '../require-computer.ts';
import type { Computer } from '../schemas.ts';

type OperatorOptions = {
  readonly bank: WholeGrantedBank;
  /** MS2000. */
  readonly clock: () => number;
  readonly deadlineMs: number;
};

/** Throws `not-found` where there is no such bank. */
export const createComputerByOperator = (
  database: TenantDatabase,
  { bank, clock, deadlineMs }: OperatorOptions,
  computer: ComputerDraft,
): Promise<CreatedComputer> =>
  database.write({ deadlineMs }, async (db) => {
    const [computerId] = await takeLocks(db, [computersLock(bank), outboxLock(bank)]);
    await requireBank(db, bank);
    return createComputerWithCode(
      db,
      createOperatorAuditContext('computer create', clock),
      { bank, computerId },
      computer,
    );
  });

/** One page in the order of ids: the computers after that id, at most `limit`. */
export async function listComputersForOperator(
  db: Db,
  bank: WholeGrantedBank,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<Computer[]> {
  const [rows] = await Promise.all([
    listComputers(db, bank, { direction: 'asc', after: [after], offset: 0, limit }),
    requireBank(db, bank),
  ]);
  return rows.map((row) => toComputer({ bank, row }));
}

type RevokedComputer = { readonly kid: string; readonly wasRevokedBefore: boolean };

/** Throws `not-found` where there is no such bank, or it has no computer of this name. */
export async function revokeComputerByOperator(
  database: TenantDatabase,
  { bank, clock, deadlineMs }: OperatorOptions,
  name: string,
): Promise<RevokedComputer> {
  // A computer keeps its name and its id.
  const found = await database.read({ deadlineMs }, (db) => findComputerByName(db, bank, name));
  if (found === undefined) throw new Problem('not-found');
  const computer = { bankId: bank.bankId, computerId: found.computer_id };
  return database.write({ deadlineMs }, async (db: LockableDb) => {
    await takeLocks(db, [computerLock(computer), outboxLock(bank)]);
    const object = await requireComputer(db, bank, computer.computerId);
    const isRevoked = await revoke(db, createOperatorAuditContext('computer revoke', clock), object);
    return { kid: toComputer(object).kid, wasRevokedBefore: !isRevoked };
  });
}
