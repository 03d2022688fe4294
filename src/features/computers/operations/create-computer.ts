// CreateComputer: adds a computer to a bank, gives it units, and makes the code with which it enrols.

import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import type { KidOf } from '../../../lib/kid.ts';
import { isWhole, requireCoveredBank } from '../../../permissions/coverage.ts';
import { createManagerAuditContext } from '../../audit/rules/audit-context.ts';
import { requireBank, requireWholeGrant } from '../../places/require-place.ts';
import { outboxLock } from '../../device-sync/queries/outbox.ts';
import { toComputerEnrolment } from '../answers.ts';
import { createComputerWithCode } from '../change-computer.ts';
import { computersLock } from '../queries/write-computer.ts';
import { requireComputer, requireWholeBankOf } from '../require-computer.ts';
import type { ComputerEnrolment } from '../schemas.ts';

type CreateComputerInput = {
  readonly bankKid: KidOf<'bank'>;
  readonly name: string;
  readonly unitKids: readonly KidOf<'unit'>[];
};

/** Only this answer has the code. */
export async function createComputer(
  context: ManagerContext,
  { bankKid, name, unitKids: units }: CreateComputerInput,
): Promise<WriteAnswer<ComputerEnrolment>> {
  const { scope, environment } = context;
  const covered = requireCoveredBank(scope, bankKid);
  // Nothing is locked if the grants are too narrow.
  if (!isWhole(covered)) await context.read((db) => requireWholeGrant(db, covered));
  return context.write({
    grant: (current) => requireWholeBankOf(current, bankKid),
    locks: (bank) => [computersLock(bank), outboxLock(bank)],
    requireObject: async (db, bank) => {
      await requireBank(db, bank);
      return bank;
    },
    work: async (db, bank, [computerId]) => {
      const actor = createManagerAuditContext(context);
      const issued = await createComputerWithCode(db, actor, { bank, computerId }, { name, units, environment });
      return toComputerEnrolment(await requireComputer(db, bank, computerId), issued);
    },
  });
}
