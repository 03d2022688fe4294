// SetServiceReadAccess: grants the key of a service some reading operations, in place of those that were granted before. What
// the key can do is bounded by what the manager who grants them may do at the time of each call.

import type { WriteDb } from '../../../database/db.ts';
import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import { createFieldProblem } from '../../../lib/field-problem.ts';
import type { KidOf } from '../../../lib/kid.ts';
import { dayOfMonthAt } from '../../icons/day-of-month.ts';
import { requireGrantedService } from '../granted-service.ts';
import { replaceGrantedOperations } from '../queries/read-access.ts';
import { readService } from '../queries/services.ts';
import {
  columnsOfAccess,
  isSameAccess,
  noAccess,
  recordAccess,
  toReadAccess,
  type ReadAccess,
} from '../rules/read-access.ts';
import { toServiceDetail, type ServiceDetail } from '../schemas.ts';
import { changeService, lockServiceWrite, requireRevision, type FoundService } from '../write-service.ts';

export type SetServiceReadAccessInput = {
  readonly serviceKid: KidOf<'service'>;
  readonly operations: readonly string[];
  readonly expectedRevision: string;
};

export type ReadAccessDependencies = {
  /** The ids of the operations that can be granted. */
  readonly listGrantableOperations: () => ReadonlySet<string>;
};

/** Returns the service as it is afterwards. */
export async function setServiceReadAccess(
  context: ManagerContext,
  { serviceKid, operations, expectedRevision }: SetServiceReadAccessInput,
  { listGrantableOperations }: ReadAccessDependencies,
): Promise<WriteAnswer<ServiceDetail>> {
  const refused = operations.findIndex((id) => !listGrantableOperations().has(id));
  return context.write({
    grant: (scope) => requireGrantedService(scope, serviceKid),
    lock: lockServiceWrite,
    requireObject: async (db, service) => ({ service, row: await readService(db, service) }),
    work: async (db, found) => {
      if (refused >= 0) throw createRefusal(refused);
      requireRevision(found.row, expectedRevision);
      return replaceAccess(db, context, found, operations.toSorted());
    },
  });
}

const createRefusal = (index: number) =>
  createFieldProblem(
    `body.operations.${index}`,
    'must be the id of an operation that takes a service key',
    'invalid-service-profile',
  );

async function replaceAccess(
  db: WriteDb,
  context: ManagerContext,
  { service, row }: FoundService,
  operations: readonly string[],
): Promise<ServiceDetail> {
  // Whoever gets here may write the service.
  const view = { canEdit: true, dayOfMonth: dayOfMonthAt(context.now) };
  const before = toReadAccess(row);
  // Whoever grants the same again answers for it in place of the one before.
  const after: ReadAccess = operations.length > 0 ? { operations, grantedBy: context.principal.managerId } : noAccess;
  if (isSameAccess(before, after)) return toServiceDetail(service, row, view);
  const columns = columnsOfAccess(after, context.now);
  const change = {
    field: 'ReadAccess',
    // The audit log has their names.
    old_value: String(before.operations.length),
    new_value: String(operations.length),
    columns,
    recorded: { before: recordAccess(service.tenant, before), after: recordAccess(service.tenant, after) },
  };
  await changeService(db, context, { service, row }, change);
  await replaceGrantedOperations(db, service, operations);
  const written = { ...row, ...columns, operations: JSON.stringify(operations), revision: row.revision + 1 };
  return toServiceDetail(service, written, view);
}
