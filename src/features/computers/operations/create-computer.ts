// CreateComputer: adds a computer to a bank, gives it units, and makes the code with which it enrols.

import type { Static } from 'typebox';
import type { BankParams } from '../../places/schemas.ts';
import { requireWholeBank } from '../../../permissions/coverage.ts';
import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import { createManagerAuditContext } from '../../audit/rules/audit-context.ts';
import { outboxLock } from '../../outbox/queries/outbox.ts';
import { requireBank, requireWholeBeforeLocks } from '../../places/require-place.ts';
import { toComputerEnrolment } from '../answers.ts';
import { createComputerWithCode } from '../change-computer.ts';
import { computersLock } from '../queries/write-computer.ts';
import { requireComputer } from '../require-computer.ts';
import type { ComputerEnrolment, NewComputer } from '../schemas.ts';

type CreateComputerInput = Static<typeof BankParams> & Static<typeof NewComputer>;

/** Only this answer has the code. */
export async function createComputer(
  context: ManagerContext,
  { bankKid, name, unitKids: units }: CreateComputerInput,
): Promise<WriteAnswer<ComputerEnrolment>> {
  await requireWholeBeforeLocks(context, bankKid);
  return context.write({
    grant: (current) => requireWholeBank(current, bankKid),
    locks: (bank) => [computersLock(bank), outboxLock(bank)],
    requireObject: async (db, bank) => {
      await requireBank(db, bank);
      return bank;
    },
    work: async (db, bank, [computerId]) => {
      const actor = createManagerAuditContext(context);
      const draft = { name, units, environment: context.environment };
      const issued = await createComputerWithCode(db, actor, { bank, computerId }, draft);
      return toComputerEnrolment(await requireComputer(db, bank, computerId), issued);
    },
  });
}
