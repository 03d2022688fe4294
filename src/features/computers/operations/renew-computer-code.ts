// RenewComputerCode: makes a new code for a computer, with which it or its replacement enrols.

import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import { createManagerAuditContext } from '../../audit/rules/audit-context.ts';
import { toComputerEnrolment } from '../answers.ts';
import { renewCode } from '../change-computer.ts';
import { requireComputer, type ComputerKid } from '../require-computer.ts';
import type { ComputerEnrolment } from '../schemas.ts';
import { changeFoundComputer } from '../change-found-computer.ts';

/** Only this answer has the code. */
export function renewComputerCode(
  context: ManagerContext,
  input: { readonly computerKid: ComputerKid; readonly expectedRevision: string },
): Promise<WriteAnswer<ComputerEnrolment>> {
  return changeFoundComputer(context, input, async (db, found) => {
    const issued = await renewCode(db, createManagerAuditContext(context), found, context.environment);
    return toComputerEnrolment(await requireComputer(db, found.bank, found.row.computer_id), issued);
  });
}
