// SetServiceProfileField: writes the name or the icon of a service if the caller knows the current revision.

import type { Static } from 'typebox';
import { createManagerAuditContext } from '../../audit/rules/audit-context.ts';
import type { WriteDb } from '../../../database/db.ts';
import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import { createFieldProblem } from '../../../lib/values/field-problem.ts';
import { dayOfMonthAt } from '../../icons/rules/day-of-month.ts';
import { requireGrantedService } from '../require-service.ts';
import { readService, type ServiceRow } from '../queries/services.ts';
import { findValueFault, type ServiceProfileField } from '../rules/profile-fields.ts';
import { toServiceDetail } from '../answers.ts';
import type { ServiceDetail, ServiceFieldParams, ServiceProfileChange } from '../schemas.ts';
import { changeService, requireServiceRevision, serviceLocks, type FoundService } from '../change-service.ts';

type SetServiceProfileFieldInput = Static<typeof ServiceFieldParams> & Static<typeof ServiceProfileChange>;

/** Returns the changed service. */
export function setServiceProfileField(
  context: ManagerContext,
  input: SetServiceProfileFieldInput,
): Promise<WriteAnswer<ServiceDetail>> {
  return context.write({
    grant: (scope) => requireGrantedService(scope, input.serviceKid),
    locks: serviceLocks,
    requireObject: async (db, service) => ({ service, row: await readService(db, service) }),
    work: (db, found) => compareAndSet(db, context, found, input),
  });
}

const columnOfField = { Name: 'name', Icon: 'icon' } as const satisfies Record<ServiceProfileField, keyof ServiceRow>;

async function compareAndSet(
  db: WriteDb,
  context: ManagerContext,
  { service, row }: FoundService,
  { field, value, expectedRevision }: SetServiceProfileFieldInput,
): Promise<ServiceDetail> {
  const fault = findValueFault(field, value);
  if (fault !== undefined) throw createFieldProblem('body.value', fault, 'invalid-service-profile');
  requireServiceRevision(row, expectedRevision);
  // The caller was authorized for this operation, and so may write.
  const view = { canEdit: true, dayOfMonth: dayOfMonthAt(context.now) };
  const column = columnOfField[field];
  const { [column]: oldValue } = row;
  if (value === oldValue) return toServiceDetail(service, row, view);
  const recorded = { before: { [field]: oldValue }, after: { [field]: value } };
  const change = { field, old_value: oldValue, new_value: value, columns: { [column]: value }, recorded };
  await changeService(db, createManagerAuditContext(context), { service, row }, change);
  return toServiceDetail(service, { ...row, [column]: value, revision: row.revision + 1 }, view);
}
