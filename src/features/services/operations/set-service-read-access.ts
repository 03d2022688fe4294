// SetServiceReadAccess: grants the key of a service some reading operations, instead of those granted before. At each
// call the key can do no more than the manager who granted them.

import type { Static } from 'typebox';
import { createManagerAuditContext } from '../../audit/rules/audit-context.ts';
import type { WriteDb } from '../../../database/db.ts';
import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import { createFieldsProblem } from '../../../lib/values/field-problem.ts';
import { dayOfMonthAt } from '../../icons/rules/day-of-month.ts';
import { requireGrantedService } from '../require-service.ts';
import { replaceGrantedOperations } from '../queries/write-service.ts';
import { readService } from '../queries/services.ts';
import {
  columnsOfAccess,
  isSameAccess,
  noAccess,
  recordAccess,
  toReadAccess,
  type ReadAccess,
} from '../rules/read-access.ts';
import { toServiceDetail } from '../answers.ts';
import type { ServiceDetail, ServiceParams, ServiceReadAccessChange } from '../schemas.ts';
import { changeService, requireServiceRevision, serviceLocks, type FoundService } from '../change-service.ts';

type SetServiceReadAccessInput = Static<typeof ServiceParams> & Static<typeof ServiceReadAccessChange>;

export type ReadAccessDependencies = {
  /** The ids of the operations that can be granted. */
  readonly listGrantableOperations: () => ReadonlySet<string>;
};

/** Returns the changed service. */
export async function setServiceReadAccess(
  context: ManagerContext,
  { serviceKid, operations, expectedRevision }: SetServiceReadAccessInput,
  { listGrantableOperations }: ReadAccessDependencies,
): Promise<WriteAnswer<ServiceDetail>> {
  const grantable = listGrantableOperations();
  const refused = [...operations.keys()].filter((index) => !grantable.has(operations[index] ?? ''));
  return context.write({
    grant: (scope) => requireGrantedService(scope, serviceKid),
    locks: serviceLocks,
    requireObject: async (db, service) => ({ service, row: await readService(db, service) }),
    work: async (db, found) => {
      if (refused.length > 0) throw createRefusal(refused);
      requireServiceRevision(found.row, expectedRevision);
      return replaceAccess(db, context, found, operations.toSorted());
    },
  });
}

const createRefusal = (indexes: readonly number[]) =>
  createFieldsProblem(
    indexes.map((index) => ({
      path: `body.operations.${index}`,
      message: 'must be the id of an operation that takes a service key',
    })),
    'invalid-service-profile',
  );

async function replaceAccess(
  db: WriteDb,
  context: ManagerContext,
  { service, row }: FoundService,
  operations: readonly string[],
): Promise<ServiceDetail> {
  // The caller was authorized for this operation, and so may write.
  const view = { canEdit: true, dayOfMonth: dayOfMonthAt(context.now) };
  const before = toReadAccess(row);
  // A manager who grants the same operations again replaces the manager who granted them before.
  const after: ReadAccess = operations.length > 0 ? { operations, grantedBy: context.principal.id } : noAccess;
  if (isSameAccess(before, after)) return toServiceDetail(service, row, view);
  const columns = columnsOfAccess(after, context.now);
  const change = {
    field: 'ReadAccess',
    // The audit log has the names of the operations.
    old_value: String(before.operations.length),
    new_value: String(operations.length),
    columns,
    recorded: { before: recordAccess(service.tenant, before), after: recordAccess(service.tenant, after) },
  };
  await changeService(db, createManagerAuditContext(context), { service, row }, change);
  await replaceGrantedOperations(db, service, operations);
  const written = { ...row, ...columns, operations: JSON.stringify(operations), revision: row.revision + 1 };
  return toServiceDetail(service, written, view);
}
