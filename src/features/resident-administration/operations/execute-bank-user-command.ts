// ExecuteBankUserCommand: changes a resident, with the history and the record for the devices, in one transaction.

import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import { queueKeyOf } from '../../../http/context/principal.ts';
import { Problem } from '../../../lib/problem.ts';
import { createManagerAuditContext } from '../../audit/rules/audit-context.ts';
import { outboxLock } from '../../outbox/queries/outbox.ts';
import type { PasswordHasher } from '../../passwords/process/password-hasher.ts';
import { residentsLock } from '../../residents/queries/residents-version.ts';
import { changeResident } from '../change-resident.ts';
import { findResident } from '../queries/residents.ts';
import {
  requireAdministeredResident,
  requireDeletableResident,
  requireGrantedResident,
  type ResidentInput,
} from '../require-resident.ts';
import { createResidentNotFoundProblem, isResidentVisible } from '../../residents/rules/resident-visibility.ts';
import { parseAction } from '../rules/command-values.ts';
import { isShownElsewhere, type ResidentCommand } from '../rules/allowed-commands.ts';
import type { ResidentWorkspace } from '../schemas.ts';
import { readWorkspace, type VisibleResident } from '../read-workspace.ts';

type BankUserCommandInput = ResidentInput & {
  readonly command: ResidentCommand;
  readonly expectedRevision: string;
  readonly value?: string | undefined;
};

/** Returns the workspace of the changed resident. */
export async function executeBankUserCommand(
  context: ManagerContext,
  input: BankUserCommandInput,
  { passwordHasher }: { readonly passwordHasher: PasswordHasher },
): Promise<WriteAnswer<ResidentWorkspace>> {
  const { now, tenant, principal } = context;
  const action = parseAction(input.command, input.value, tenant);
  const requireCurrent = ({ row }: VisibleResident): void => {
    if (!isResidentVisible(row, context.scope.retentionDays, now)) throw createResidentNotFoundProblem();
    if (input.expectedRevision !== String(row.revision)) throw new Problem('user-conflict');
  };
  const pin = action.command === 'SetPin' ? action.value : '';
  let pinHash: string | null = null;
  const hashPin = async (resident: VisibleResident): Promise<void> => {
    requireCurrent(resident);
    pinHash = await passwordHasher.hash(pin, { turn: { key: queueKeyOf(tenant, principal) } });
  };
  return context.write({
    grant: (scope) => requireGrantedResident(scope, input),
    locks: ({ bank }) => [outboxLock(bank), ...(isShownElsewhere(action.command) ? [residentsLock(bank)] : [])],
    // A repeated Delete gets the answer of the first one, although the resident is no longer visible.
    requireObject: (db, granted) =>
      action.command === 'Delete'
        ? requireDeletableResident(db, granted, now)
        : requireAdministeredResident(db, granted, now),
    ...(pin === '' ? {} : { prepare: hashPin }),
    work: async (db, resident) => {
      requireCurrent(resident);
      await changeResident(db, createManagerAuditContext(context), resident, { action, pinHash });
      const row = await findResident(db, resident.bank, resident.row.resident_id);
      return readWorkspace(db, context, { bank: resident.bank, row: row! });
    },
  });
}
