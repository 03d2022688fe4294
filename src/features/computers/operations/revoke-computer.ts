// RevokeComputer: ends the keys and the code of a computer for good. Its next request is refused.

import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import { createManagerAuditContext } from '../../audit/rules/audit-context.ts';
import { toComputer } from '../answers.ts';
import { revoke } from '../change-computer.ts';
import { requireComputer, type ComputerKid } from '../require-computer.ts';
import type { Computer } from '../schemas.ts';
import { changeFoundComputer } from '../change-found-computer.ts';

type RevokeComputerInput = { readonly computerKid: ComputerKid; readonly expectedRevision: string };

/** Returns the computer after the change. Nothing changes if it was revoked before. */
export function revokeComputer(context: ManagerContext, input: RevokeComputerInput): Promise<WriteAnswer<Computer>> {
  return changeFoundComputer(context, input, async (db, found) => {
    const isRevoked = await revoke(db, createManagerAuditContext(context), found);
    return toComputer(isRevoked ? await requireComputer(db, found.bank, found.row.computer_id) : found);
  });
}
